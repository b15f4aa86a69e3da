package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.fault.Fault;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The streams that are open, so that a fault can cut them. Thread-safe. */
public final class Streams {
    /** One open stream; close it when it has ended. */
    public final class Open implements AutoCloseable {
        private final Site site;
        private final Runnable cut;

        private Open(Site site, Runnable cut) {
            this.site = site;
            this.cut = cut;
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
        Open stream = new Open(Site.at(path, operation, path), cut);
        open.add(stream);
        return stream;
    }

    /** Cuts the streams that the fault wants cut now; answers how many. */
    public int cutByFault(Faults faults) {
        int count = 0;
        for (Open stream : open) {
            if (faults.strike(Fault.STREAM_CUT, stream.site) != null) {
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
