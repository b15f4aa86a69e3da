package io.aardappel.replicator.app;

import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.StreamConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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
    int list() {
        return with((config, transport) -> {
            try (Replays replays =
                    new Replays(transport, Replication.identity(config), Replication.targetSettings(config))) {
                LetterTable table = new LetterTable();
                Optional<String> unread = read(config, transport, posted -> table.add(row(config, replays, posted)));
                table.print(out());
                unread.ifPresent(out()::println);
                return unread.isPresent() ? ExitCode.PREFLIGHT : ExitCode.REQUESTED;
            }
        });
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
            Map<String, Posted> there = new LinkedHashMap<>();
            Optional<String> unread = read(config, transport, posted -> there.put(posted.name(), posted));
            if (unread.isPresent()) {
                out().println("nothing was changed: " + unread.get());
                return ExitCode.PREFLIGHT;
            }
            Optional<String> absent = choice.letters.stream()
                    .filter(name -> !there.containsKey(name))
                    .findFirst();
            if (absent.isPresent()) {
                out().println("nothing was changed: there is no letter " + absent.get()
                        + "; `dlq list` names those there are by PARTITION:OFFSET");
                return ExitCode.CONFIGURATION;
            }
            List<Posted> chosen = choice.all
                    ? List.copyOf(there.values())
                    : choice.letters.stream().map(there::get).toList();
            try (Replays replays =
                    new Replays(transport, Replication.identity(config), Replication.targetSettings(config))) {
                Locking lock = replays.lock(Duration.ofSeconds(Math.max(0, wait)));
                try {
                    return replay(
                            config, replays, lock, choice.all ? leftOut(config, replays, chosen) : chosen, who, force);
                } finally {
                    replays.release();
                }
            }
        });
    }

    private List<Posted> leftOut(ReplicatorConfig config, Replays replays, List<Posted> posted) {
        return posted.stream()
                .filter(one ->
                        state(config, replays, DeadLetter.of(one.message())).equals(LetterTable.LEFT_OUT))
                .toList();
    }

    private ExitCode replay(
            ReplicatorConfig config, Replays replays, Locking lock, List<Posted> chosen, String who, boolean force) {
        if (lock instanceof Locking.Busy busy) {
            out().println("nothing was changed: the lock is held by " + busy.owner()
                    + "; stop every replicator of this instance and try again");
            return ExitCode.LOCK;
        }
        if (lock instanceof Locking.Failed failed) {
            out().println("nothing was changed: " + failed.why());
            return ExitCode.FAILED;
        }
        Locking.Held held = (Locking.Held) lock;
        return withSource(config, source -> {
            LetterReplay judge = new LetterReplay(config, replays, source, held.state(), who, force);
            int refused = 0;
            for (Posted posted : chosen) {
                LetterReplay.Result result = judge.replay(posted);
                boolean done = result instanceof LetterReplay.Result.Replayed;
                refused += done ? 0 : 1;
                out().println(posted.name()
                        + (result instanceof LetterReplay.Result.Replayed replayed
                                ? " replayed: " + replayed.what()
                                : " not replayed: " + ((LetterReplay.Result.Not) result).why()));
            }
            out().println("letters replayed: " + (chosen.size() - refused) + ", not replayed: " + refused);
            return refused == 0 ? ExitCode.REQUESTED : ExitCode.REFUSED;
        });
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
