package io.aardappel.replicator.app;

import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.ydb.target.Members;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/replicator members}. Talks to the destination only. */
@Command(name = "members", description = "Lists or removes the streams that the checkpoint stands for.")
final class MembersCommand extends TerminalCommand {
    @Command(name = "list", description = "Prints the recorded streams. Changes nothing.")
    int list() {
        return withMembers((config, members) -> print(members.list()));
    }

    @Command(
            name = "remove",
            description = {
                "Takes a stream out, so that the configuration need not name it any more.",
                "Needs the instance's lock: stop its replicators first. Its table and its topic stay as they are."
            })
    int remove(
            @Option(
                            names = "--topic",
                            required = true,
                            paramLabel = "PATH",
                            description = "The stream's topic, relative to the source database or absolute.")
                    String topic,
            @Option(names = "--consumer", required = true, paramLabel = "NAME", description = "Its consumer.")
                    String consumer,
            @Option(
                            names = "--wait",
                            paramLabel = "SECONDS",
                            defaultValue = "10",
                            description = "How long to wait for the lock (default: ${DEFAULT-VALUE}).")
                    int wait) {
        return withMembers((config, members) -> {
            String path = config.source().endpoint().resolve(topic);
            return print(members.remove(path, consumer, Duration.ofSeconds(Math.max(0, wait))), path, consumer);
        });
    }

    /** What is done with the members of the configured instance. */
    private interface Act {
        ExitCode on(ReplicatorConfig config, Members members);
    }

    private int withMembers(Act act) {
        return with(config -> atDestination(config, transport -> {
            try (Members members =
                    new Members(transport, Replication.identity(config), Replication.targetSettings(config))) {
                return act.on(config, members);
            }
        }));
    }

    private ExitCode print(Members.Listing listing) {
        if (listing instanceof Members.Listing.Unreadable unreadable) {
            return unreadable(unreadable.why());
        }
        print(((Members.Listing.Listed) listing).streams());
        return ExitCode.REQUESTED;
    }

    private ExitCode unreadable(String why) {
        out().println("nothing was changed: the rows could not be read: " + why);
        return ExitCode.PREFLIGHT;
    }

    private ExitCode print(Members.Outcome outcome, String topic, String consumer) {
        if (outcome instanceof Members.Outcome.Removed) {
            out().println("removed: stream " + topic + ", consumer " + consumer
                    + "; take it out of streams before the next start, unless you bring it in anew");
            return ExitCode.REQUESTED;
        }
        if (outcome instanceof Members.Outcome.NoSuchMember none) {
            out().println("nothing was changed: no member has topic " + topic + " and consumer " + consumer
                    + "; recorded are:");
            print(none.streams());
            return ExitCode.CONFIGURATION;
        }
        if (outcome instanceof Members.Outcome.Locked locked) {
            out().println("nothing was changed: the lock is held by " + locked.owner()
                    + "; stop every replicator of this instance and try again");
            return ExitCode.LOCK;
        }
        if (outcome instanceof Members.Outcome.Unreadable unreadable) {
            return unreadable(unreadable.why());
        }
        if (outcome instanceof Members.Outcome.Failed failed) {
            out().println(failed.why() + "; see with `members list` what is recorded, and try again");
            return ExitCode.FAILED;
        }
        throw new IllegalStateException("unknown outcome " + outcome);
    }

    /** A table of text: as wide as it must be. */
    private void print(List<StreamRow> rows) {
        String form = "%-" + width("STATE", rows, MembersCommand::state) + "s  %-"
                + width("TOPIC", rows, StreamRow::topic) + "s  %-"
                + width("CONSUMER", rows, StreamRow::consumer) + "s  %s%n";
        out().printf(form, "STATE", "TOPIC", "CONSUMER", "TABLE");
        for (StreamRow row : rows) {
            out().printf(form, state(row), row.topic(), row.consumer(), row.table());
        }
    }

    private static String state(StreamRow row) {
        return row.state().name().toLowerCase(Locale.ROOT);
    }

    private static int width(String head, List<StreamRow> rows, Function<StreamRow, String> column) {
        return rows.stream().map(column).mapToInt(String::length).reduce(head.length(), Math::max);
    }
}
