package io.aardappel.replicator.app;

import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.ydb.target.StateView;
import io.aardappel.replicator.ydb.target.StateView.Found;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a checkpoint stands for a stream already, read when it is first asked for. What cannot be read is taken for not
 * recorded: whoever asks is told of that elsewhere. Waits; thread-safe.
 */
final class RecordedMembers implements Predicate<StreamSpec> {
    private final Supplier<StateView> view;
    private @Nullable Found found;

    /** @param view opened when it is needed, and closed */
    RecordedMembers(Supplier<StateView> view) {
        this.view = view;
    }

    @Override
    public synchronized boolean test(StreamSpec stream) {
        Found known = found;
        if (known == null) {
            try (StateView opened = view.get()) {
                known = opened.look();
            }
            found = known;
        }
        return isMember(known, stream);
    }

    static boolean isMember(Found found, StreamSpec stream) {
        return found instanceof Found.Saved saved
                && saved.state().streams().stream().anyMatch(row -> row.isMember(stream));
    }
}
