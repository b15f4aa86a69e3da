package io.aardappel.replicator.app;

import io.aardappel.replicator.problems.TopicLetters.Posted;
import io.aardappel.replicator.ydb.target.Replays;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/replicator dlq}. {@code replay} also asks the source. */
@Command(name = "dlq", description = "Lists dead letters, or replays those that were left out.")
final class DlqCommand extends TerminalCommand {
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
        return withLetters(box -> {
            Map<Long, Deque<Posted>> newest = new TreeMap<>();
            long[] earlier = new long[1];
            Optional<String> unread = box.read(posted -> {
                Deque<Posted> ofPartition = newest.computeIfAbsent(posted.partition(), none -> new ArrayDeque<>());
                ofPartition.add(posted);
                if (ofPartition.size() > Math.max(1, last)) {
                    ofPartition.remove();
                    earlier[0]++;
                }
            });
            LetterTable table = new LetterTable();
            newest.values().forEach(ofPartition -> ofPartition.forEach(posted -> table.add(box.row(posted))));
            table.print(out());
            if (earlier[0] > 0) {
                out().println("letters before these: " + earlier[0] + "; --last N shows more");
            }
            unread.ifPresent(out()::println);
            return unread.isPresent() ? ExitCode.PREFLIGHT : ExitCode.REQUESTED;
        });
    }

    @Command(
            name = "replay",
            description = {
                "Writes the rows of dead letters whose records were left out, each in a transaction with a row that says who did it.",
                "Needs the instance's lock: stop its replicators first.",
                "A letter is refused when its row was changed since at the source, when it was replayed before, when its key is"
                        + " blocked, and when it is not known that its record was left out."
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
        List<String> letters = choice.all ? List.of() : List.copyOf(choice.letters);
        ReplayRun.Order order = new ReplayRun.Order(letters, who, force, Duration.ofSeconds(Math.max(0, wait)));
        return withLetters(box -> new ReplayRun(box, order, out()).go());
    }

    private int withLetters(Function<LetterBox, ExitCode> act) {
        return with(config -> {
            if (config.problems().deadLetters().isEmpty()) {
                out().println("the file has no dead_letter_queue.path; name the topic of dead letters there");
                return ExitCode.CONFIGURATION;
            }
            return atDestination(config, transport -> {
                try (Replays replays =
                        new Replays(transport, Replication.identity(config), Replication.targetSettings(config))) {
                    return act.apply(new LetterBox(config, transport, replays));
                }
            });
        });
    }
}
