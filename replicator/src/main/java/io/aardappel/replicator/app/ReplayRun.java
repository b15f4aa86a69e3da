package io.aardappel.replicator.app;

import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.problems.TopicLetters.Posted;
import io.aardappel.replicator.ydb.target.Answer;
import io.aardappel.replicator.ydb.target.Locking;
import io.aardappel.replicator.ydb.target.RowLookup;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run of {@code dlq replay}: finds the letters, takes the lock, replays one after the other and prints what became of each. */
final class ReplayRun {
    /**
     * What is ordered.
     *
     * @param letters by name, in the order to replay them; empty means all that were left out
     * @param who orders it
     * @param force whether objections are overruled
     * @param patience how long to wait for the lock
     */
    record Order(List<String> letters, String who, boolean force, Duration patience) {
        boolean all() {
            return letters.isEmpty();
        }
    }

    private final ReplicatorConfig config;
    private final LetterBox box;
    private final Order order;
    private final PrintWriter out;
    /** Those that are named, by name; none of them where all are meant. */
    private final Map<String, Posted> named = new LinkedHashMap<>();

    private int done;
    private int refused;

    ReplayRun(LetterBox box, Order order, PrintWriter out) {
        this.config = box.config();
        this.box = box;
        this.order = order;
        this.out = out;
    }

    ExitCode go() {
        Optional<String> unread = order.all() ? Optional.empty() : box.read(this::keepNamed);
        if (unread.isPresent()) {
            return nothing(ExitCode.PREFLIGHT, unread.get());
        }
        Optional<String> absent = order.letters().stream()
                .filter(name -> !named.containsKey(name))
                .findFirst();
        if (absent.isPresent()) {
            return nothing(
                    ExitCode.CONFIGURATION,
                    "there is no letter " + absent.get() + "; `dlq list` names those there are by PARTITION:OFFSET");
        }
        Locking lock = box.replays().lock(order.patience());
        try {
            return under(lock);
        } finally {
            box.replays().release();
        }
    }

    private void keepNamed(Posted posted) {
        if (order.letters().contains(posted.name())) {
            named.put(posted.name(), posted);
        }
    }

    private ExitCode nothing(ExitCode code, String why) {
        out.println("nothing was changed: " + why);
        return code;
    }

    private ExitCode under(Locking lock) {
        if (lock instanceof Locking.Busy busy) {
            return nothing(
                    ExitCode.LOCK,
                    "the lock of instance " + config.instanceId() + " is held by " + busy.owner()
                            + "; stop every replicator of this instance and try again");
        }
        if (lock instanceof Locking.Failed failed) {
            return nothing(
                    ExitCode.FAILED,
                    failed.why()
                            + "; see that the tables beside the state table may be read and written, and try again");
        }
        return beforeSource(((Locking.Held) lock).state());
    }

    /** The source tells whether a row was changed since; where it cannot be asked, that speaks against each letter. */
    private ExitCode beforeSource(SavedState state) {
        return Visit.source(
                config,
                source -> {
                    try (RowLookup rows = new RowLookup(source, Replication.targetSettings(config))) {
                        return replay(state, new Answer.Read<>(rows));
                    }
                },
                why -> replay(state, new Answer.Unreadable<>(why)));
    }

    private ExitCode replay(SavedState state, Answer<RowLookup> source) {
        LetterReplay judge =
                new LetterReplay(config, box.replays(), source, box.blockedKeys(), state, order.who(), order.force());
        Optional<String> unread = Optional.empty();
        if (order.all()) {
            unread = box.read(posted -> {
                if (box.isLeftOut(posted)) {
                    tell(posted, judge.replay(posted));
                }
            });
        } else {
            order.letters().stream().map(named::get).forEach(posted -> tell(posted, judge.replay(posted)));
        }
        out.println("letters replayed: " + done + ", not replayed: " + refused);
        if (unread.isPresent()) {
            out.println("the letters were not read to their end: " + unread.get()
                    + "; try again, those replayed are known");
            return ExitCode.FAILED;
        }
        return refused == 0 ? ExitCode.REQUESTED : ExitCode.REFUSED;
    }

    private void tell(Posted posted, LetterReplay.Result result) {
        if (result instanceof LetterReplay.Result.Replayed replayed) {
            done++;
            out.println(posted.name() + " replayed: " + replayed.what());
        } else {
            refused++;
            out.println(posted.name() + " not replayed: " + ((LetterReplay.Result.Not) result).why());
        }
    }
}
