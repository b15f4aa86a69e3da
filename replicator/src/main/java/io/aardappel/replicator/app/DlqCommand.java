package io.aardappel.replicator.app;

import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.StreamConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.problems.DeadLetter;
import io.aardappel.replicator.problems.TopicLetters;
import io.aardappel.replicator.problems.TopicLetters.Posted;
import io.aardappel.replicator.ydb.preflight.Doorstep;
import io.aardappel.replicator.ydb.preflight.Finding;
import io.aardappel.replicator.ydb.target.Replays;
import io.aardappel.replicator.ydb.target.Replays.Answer;
import io.aardappel.replicator.ydb.target.Replays.Locking;
import io.aardappel.replicator.ydb.target.Replays.Standing;
import io.aardappel.replicator.ydb.target.RowLookup;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import tech.ydb.core.grpc.GrpcTransport;

/** {@code bin/replicator dlq}: for a person at a terminal, so it prints plain text. */
@Command(name = "dlq", description = "Lists dead letters, or replays those that were left out.")
final class DlqCommand {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before a command runs
    private ReplicatorCommand program;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before a command runs
    private CommandSpec spec;

    /** Which letters. */
    private static final class Choice {
        @Option(
                names = "--letter",
                required = true,
                paramLabel = "PARTITION:OFFSET",
                description = "A letter as `dlq list` names it. May be repeated; replayed in this order.")
        private List<String> letters = List.of();

        @Option(
                names = "--all",
                required = true,
                description = "Every letter of this instance whose record was left out and not replayed.")
        private boolean all;
    }

    @Command(name = "list", description = "Prints the dead letters that are there. Changes nothing.")
    int list(
            @Option(
                            names = "--last",
                            paramLabel = "N",
                            defaultValue = "1000",
                            description = "At most so many of each partition, the newest (default: ${DEFAULT-VALUE}).")
                    int last) {
        return with((config, transport) -> {
            Map<Long, Deque<Posted>> newest = new TreeMap<>();
            long[] earlier = new long[1];
            Optional<String> unread = read(config, transport, posted -> {
                Deque<Posted> ofPartition = newest.computeIfAbsent(posted.partition(), none -> new ArrayDeque<>());
                ofPartition.add(posted);
                if (ofPartition.size() > Math.max(1, last)) {
                    ofPartition.remove();
                    earlier[0]++;
                }
            });
            try (Replays replays = replays(config, transport)) {
                LetterTable table = new LetterTable();
                newest.values()
                        .forEach(ofPartition -> ofPartition.forEach(posted -> table.add(row(config, replays, posted))));
                table.print(out());
            }
            if (earlier[0] > 0) {
                out().println("letters before these: " + earlier[0] + "; --last N shows more");
            }
            unread.ifPresent(out()::println);
            return unread.isPresent() ? ExitCode.PREFLIGHT : ExitCode.REQUESTED;
        });
    }

    private static Replays replays(ReplicatorConfig config, GrpcTransport transport) {
        return new Replays(transport, Replication.identity(config), Replication.targetSettings(config));
    }

    @Command(
            name = "replay",
            description = {
                "Writes the rows of dead letters whose records were left out, each in a transaction with a row that says who did it.",
                "Needs the instance's lock: stop its replicators first.",
                "A letter is refused when its row was changed since at the source, when it was replayed before, and when it is"
                        + " not known that its record was left out."
            })
    int replay(
            @ArgGroup(multiplicity = "1") Choice choice,
            @Option(names = "--force", description = "Replays them all the same; what was overruled is recorded.")
                    boolean force,
            @Option(
                            names = "--by",
                            paramLabel = "NAME",
                            description = "Who orders it, for the record (default: the user and the machine).")
                    String by,
            @Option(
                            names = "--wait",
                            paramLabel = "SECONDS",
                            defaultValue = "10",
                            description = "How long to wait for the lock (default: ${DEFAULT-VALUE}).")
                    int wait) {
        String who = by == null || by.isBlank() ? System.getProperty("user.name") + "@" + Replication.hostname() : by;
        return with((config, transport) -> {
            Map<String, Posted> chosen = new LinkedHashMap<>();
            Optional<String> unread = choice.all
                    ? Optional.empty()
                    : read(config, transport, posted -> {
                        if (choice.letters.contains(posted.name())) {
                            chosen.put(posted.name(), posted);
                        }
                    });
            if (unread.isPresent()) {
                out().println("nothing was changed: " + unread.get());
                return ExitCode.PREFLIGHT;
            }
            Optional<String> absent = choice.letters.stream()
                    .filter(name -> !chosen.containsKey(name))
                    .findFirst();
            if (absent.isPresent()) {
                out().println("nothing was changed: there is no letter " + absent.get()
                        + "; `dlq list` names those there are by PARTITION:OFFSET");
                return ExitCode.CONFIGURATION;
            }
            Letters letters = taker -> {
                if (choice.all) {
                    return read(config, transport, taker);
                }
                choice.letters.stream().map(chosen::get).forEach(taker);
                return Optional.empty();
            };
            try (Replays replays = replays(config, transport)) {
                Locking lock = replays.lock(Duration.ofSeconds(Math.max(0, wait)));
                try {
                    return underLock(
                            config,
                            lock,
                            held -> withSource(
                                    config,
                                    source -> replayed(
                                            letters,
                                            posted -> !choice.all
                                                    || state(config, replays, DeadLetter.of(posted.message()))
                                                            .equals(LetterTable.LEFT_OUT),
                                            new LetterReplay(config, replays, source, held, who, force))));
                } finally {
                    replays.release();
                }
            }
        });
    }

    /** Gives letters one by one; answers why not all could be read, absent when they were. */
    private interface Letters {
        Optional<String> to(Consumer<Posted> taker);
    }

    private ExitCode underLock(ReplicatorConfig config, Locking lock, Function<SavedState, ExitCode> act) {
        if (lock instanceof Locking.Busy busy) {
            out().println("nothing was changed: the lock of instance " + config.instanceId() + " is held by "
                    + busy.owner() + "; stop every replicator of this instance and try again");
            return ExitCode.LOCK;
        }
        if (lock instanceof Locking.Failed failed) {
            out().println("nothing was changed: " + failed.why());
            return ExitCode.FAILED;
        }
        return act.apply(((Locking.Held) lock).state());
    }

    private ExitCode replayed(Letters letters, Predicate<Posted> meant, LetterReplay judge) {
        int[] counts = new int[2];
        Optional<String> unread = letters.to(posted -> {
            if (meant.test(posted)) {
                counts[tell(posted, judge.replay(posted)) ? 0 : 1]++;
            }
        });
        out().println("letters replayed: " + counts[0] + ", not replayed: " + counts[1]);
        unread.ifPresent(why -> out().println("the letters were not read to their end: " + why));
        if (unread.isPresent()) {
            return ExitCode.PREFLIGHT;
        }
        return counts[1] == 0 ? ExitCode.REQUESTED : ExitCode.REFUSED;
    }

    /** Answers whether it was replayed. */
    private boolean tell(Posted posted, LetterReplay.Result result) {
        if (result instanceof LetterReplay.Result.Replayed replayed) {
            out().println(posted.name() + " replayed: " + replayed.what());
            return true;
        }
        out().println(posted.name() + " not replayed: " + ((LetterReplay.Result.Not) result).why());
        return false;
    }

    /** What is done where rows of the source can be looked up, or cannot. */
    private interface AtSource {
        ExitCode act(Answer<RowLookup> source);
    }

    private ExitCode withSource(ReplicatorConfig config, AtSource act) {
        try (Tickets tickets = Tickets.of(config)) {
            Optional<Finding> away = tickets.obtain().stream().findFirst();
            Doorstep.Side side = Side.source(config, tickets.source());
            if (away.isEmpty()) {
                away = Doorstep.check(side, config.tuning().get(Tuning.CALL_TIMEOUT));
            }
            if (away.isPresent()) {
                return act.act(new Answer.Unreadable<>(away.get().sentence()));
            }
            try (GrpcTransport transport = side.connection().open();
                    RowLookup lookup = new RowLookup(transport, Replication.targetSettings(config))) {
                return act.act(new Answer.Read<>(lookup));
            }
        } catch (IOException certificate) {
            return act.act(new Answer.Unreadable<>(String.valueOf(certificate.getMessage())));
        }
    }

    private static LetterTable.Row row(ReplicatorConfig config, Replays replays, Posted posted) {
        DeadLetter letter = DeadLetter.of(posted.message());
        String state = state(config, replays, letter);
        String written = posted.writtenAt().truncatedTo(ChronoUnit.SECONDS).toString();
        if (letter instanceof DeadLetter.Whole whole) {
            return new LetterTable.Row(
                    posted.name(),
                    written,
                    state,
                    whole.reason(),
                    whole.topic(),
                    Long.toString(whole.partition()),
                    Long.toString(whole.offset()),
                    whole.position().toString(),
                    whole.key());
        }
        if (letter instanceof DeadLetter.Line line) {
            return new LetterTable.Row(
                    posted.name(),
                    written,
                    state,
                    line.reason(),
                    line.topic(),
                    "-",
                    "-",
                    line.position().toString(),
                    line.key());
        }
        return new LetterTable.Row(posted.name(), written, state, "-", "-", "-", "-", "-", "-");
    }

    private static String state(ReplicatorConfig config, Replays replays, DeadLetter letter) {
        if (letter instanceof DeadLetter.Line) {
            return "no values";
        }
        if (!(letter instanceof DeadLetter.Whole whole)) {
            return "no letter";
        }
        if (!whole.instanceId().equals(config.instanceId())) {
            return "other instance";
        }
        Optional<StreamConfig> stream = LetterReplay.stream(config, whole);
        if (stream.isEmpty()) {
            return "no stream";
        }
        Answer<Standing> answer = replays.standing(LetterReplay.record(stream.get(), whole));
        if (!(answer instanceof Answer.Read<Standing> read)) {
            return "not known";
        }
        Standing standing = read.value();
        if (standing.replayed().isPresent() || standing.decidedBy().equals(Optional.of(DecidedBy.REPLAY))) {
            return "replayed";
        }
        if (standing.leftOut()) {
            return whole.payload().isPresent() ? LetterTable.LEFT_OUT : "no values";
        }
        return standing.decision().isPresent() ? "applied" : "undecided";
    }

    private Optional<String> read(ReplicatorConfig config, GrpcTransport transport, Consumer<Posted> taker) {
        String path = config.problems().deadLetters().orElseThrow();
        try (TopicLetters letters =
                new TopicLetters(transport, path, config.tuning().get(Tuning.CALL_TIMEOUT))) {
            return letters.read(taker);
        }
    }

    private interface Act {
        ExitCode on(ReplicatorConfig config, GrpcTransport destination);
    }

    private int with(Act act) {
        Optional<ReplicatorConfig> read = program.configurationFor(out());
        if (read.isEmpty()) {
            return ExitCode.CONFIGURATION.code();
        }
        ReplicatorConfig config = read.get();
        if (config.problems().deadLetters().isEmpty()) {
            out().println("the file has no dead_letter_queue.path; name the topic of dead letters there");
            return ExitCode.CONFIGURATION.code();
        }
        AtDestination there = transport -> act.on(config, transport);
        return there.go(config, out()).code();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
