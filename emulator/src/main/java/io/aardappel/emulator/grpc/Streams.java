package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.fault.Fault;
import io.grpc.Status;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The streams that are open, so that a fault can cut them. Thread-safe. */
public final class Streams {
    /** One open stream; close it when it has ended. */
    public final class Open implements AutoCloseable {
        private final Site site;
        private final Runnable cut;
        private final Supplier<Optional<RuntimeException>> objection;
        private final Consumer<RuntimeException> dismiss;

        private Open(
                Site site,
                Runnable cut,
                Supplier<Optional<RuntimeException>> objection,
                Consumer<RuntimeException> dismiss) {
            this.site = site;
            this.cut = cut;
            this.objection = objection;
            this.dismiss = dismiss;
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }

    private final Set<Open> open = ConcurrentHashMap.newKeySet();

    /** What a stream ends with when it is cut. */
    public static Status cut() {
        return Status.UNAVAILABLE.withDescription("the node is going down: an ordered fault");
    }

    /**
     * Makes an open stream known.
     *
     * @param path what it is about: absolute path of a topic or of the database
     * @param cut ends it with {@link #cut()}; called at most once, from any thread
     */
    public Open register(String path, Operation operation, Runnable cut) {
        return add(new Open(Site.at(path, operation, path), cut, Optional::empty, objection -> cut.run()));
    }

    /**
     * The same for a stream whose caller may have to leave.
     *
     * @param visitor the caller
     * @param dismiss ends it with what {@link Visitor#objection} said; called at most once, from any thread, and {@code cut}
     *     is not called then
     */
    public Open register(
            String path, Operation operation, Visitor visitor, Runnable cut, Consumer<RuntimeException> dismiss) {
        return add(new Open(Site.at(path, operation, path), cut, visitor::objection, dismiss));
    }

    private Open add(Open stream) {
        open.add(stream);
        return stream;
    }

    /** Ends the streams of callers who must leave. */
    public void dismissUnwelcome() {
        for (Open stream : open) {
            stream.objection.get().ifPresent(objection -> {
                if (open.remove(stream)) {
                    stream.dismiss.accept(objection);
                }
            });
        }
    }

    /** Cuts the streams that the fault wants cut now; answers how many. */
    public int cutByFault(Faults faults) {
        int count = 0;
        for (Open stream : open) {
            if (faults.strikeOpen(Fault.STREAM_CUT, stream.site, stream) != null) {
                count += end(stream);
            }
        }
        return count;
    }

    /** Cuts them all; answers how many. */
    public int cutAll() {
        int count = 0;
        for (Open stream : open) {
            count += end(stream);
        }
        return count;
    }

    private int end(Open stream) {
        if (!open.remove(stream)) {
            return 0;
        }
        stream.cut.run();
        return 1;
    }

    public int count() {
        return open.size();
    }
}
