package io.aardappel.replicator.app;

import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.core.Membership.Topic;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.engine.Exit;
import io.aardappel.replicator.engine.Outlook;
import io.aardappel.replicator.engine.SourceEvent.Described;
import io.aardappel.replicator.ydb.preflight.Finding;
import io.aardappel.replicator.ydb.preflight.Finding.Severity;
import io.aardappel.replicator.ydb.target.StateView;
import io.aardappel.replicator.ydb.target.StateView.Found;
import io.aardappel.replicator.ydb.target.StateView.Holder;
import io.aardappel.replicator.ydb.topics.TopicDescriber;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tech.ydb.core.Result;

/** Tells a person at a terminal what a start would find, and comes to the code that it would end with. Changes nothing; waits. */
final class StartCheck {
    /** Characters of a remedy that is told again as it is. */
    private static final int REPEATED_MOST = 100;

    private final ReplicatorConfig config;
    private final String file;
    private final PrintWriter out;
    private ExitCode code = ExitCode.REQUESTED;
    private int wrong;
    private int warnings;
    /** The reason for which another process has written FATAL_ERROR. */
    private Optional<Problem.Reason> written = Optional.empty();

    /** What to do, with the object that it was first told for. */
    private final Map<String, String> remedies = new HashMap<>();

    /** @param file name of the configuration's file, for messages */
    StartCheck(ReplicatorConfig config, String file, PrintWriter out) {
        this.config = config;
        this.file = file;
        this.out = out;
    }

    /**
     * Looks at everything in the order in which a start would.
     *
     * @param deaf why monitoring cannot be served, empty when it can
     */
    ExitCode run(Optional<String> deaf) {
        deaf.ifPresent(problem -> endsWith(ExitCode.CONFIGURATION, file + " cannot be used:", List.of(problem)));
        databases();
        if (wrong == 0) {
            out.println(
                    warnings == 0
                            ? "nothing wrong"
                            : warnings() + ", in spite of which a start goes on; nothing wrong beside");
        } else if (wrong == 1 && (deaf.isPresent() || code == ExitCode.LOCK)) {
            out.println(warnings == 0 ? "nothing else wrong" : warnings() + "; nothing else wrong");
        }
        return code;
    }

    private String warnings() {
        return (warnings == 1 ? "1 warning" : warnings + " warnings") + ", told above";
    }

    private void databases() {
        try (Tickets tickets = Tickets.of(config)) {
            Databases.Opening opening =
                    Databases.open(config, tickets, config.tuning().get(Tuning.CALL_TRIES));
            if (opening.databases().isEmpty()) {
                tell(opening.findings());
                return;
            }
            try (Databases databases = opening.databases().get()) {
                tell(databases.check(config));
                state(databases);
            }
        } catch (IOException failed) {
            endsWith(ExitCode.PREFLIGHT, doNotFit(), List.of(String.valueOf(failed.getMessage())));
        }
    }

    private void tell(List<Finding> findings) {
        findings.stream()
                .filter(finding -> finding.severity() == Severity.WARNING)
                .forEach(warning -> {
                    warnings++;
                    out.println(text(warning));
                });
        List<String> problems = findings.stream()
                .filter(finding -> finding.severity() != Severity.WARNING)
                .map(this::text)
                .toList();
        if (!problems.isEmpty()) {
            endsWith(ExitCode.PREFLIGHT, doNotFit(), problems);
        }
    }

    /** What to do, which may be a statement of some hundred characters, is not told twice. */
    private String text(Finding finding) {
        String first = remedies.putIfAbsent(finding.remedy(), finding.object());
        return first == null || finding.remedy().length() <= REPEATED_MOST
                ? finding.text()
                : finding.severity() + " " + finding.object() + ": "
                        + Problem.sentences(finding.what(), "What to do is told above, at " + first);
    }

    private String doNotFit() {
        return "the databases do not fit " + file + ":";
    }

    /** The first code counts: a start would come no further. */
    private void endsWith(ExitCode with, String head, List<String> problems) {
        out.println(head);
        problems.forEach(problem -> out.println("  " + problem));
        wrong++;
        code = code == ExitCode.REQUESTED ? with : code;
    }

    /** What is known of the consumers, or why that is not known. */
    private record Consumers(List<Topic> topics, Optional<StreamSpec> unknown) {}

    /**
     * The consumers are described before the rows are read: an instance that runs notes there what it commits before it does, so
     * that what the rows say covers what the consumers said before.
     */
    private void state(Databases databases) {
        Consumers consumers = consumers(databases);
        Found found;
        try (StateView view = databases.state(config)) {
            found = view.look();
            tell(databases.beginning(config, view, found));
        }
        if (found instanceof Found.Nothing) {
            out.println("instance " + config.instanceId() + ": not there yet; a start makes its row in "
                    + config.stateTablePath()
                    + " and begins with an initial scan; rows from before a feed come only if it was"
                    + " made with INITIAL_SCAN = TRUE, which no description tells");
        } else if (found instanceof Found.Lost) {
            out.println("instance " + config.instanceId() + ": its row is gone; a start does not make it again");
        } else if (found instanceof Found.Unreadable unreadable) {
            tell(List.of(new Finding(
                    Severity.UNREACHABLE,
                    "instance " + config.instanceId(),
                    "its row could not be read: " + unreadable.why(),
                    "See that the table may be read, and try again")));
        } else if (found instanceof Found.Invalid invalid) {
            lock(invalid.holder());
            refuse(List.of(invalid.problem()));
        } else if (found instanceof Found.Saved saved) {
            row(saved.state());
            lock(saved.holder());
            compare(consumers, saved.state());
        } else {
            throw new IllegalStateException("unknown finding " + found);
        }
    }

    private void row(SavedState state) {
        written = Arrays.stream(Problem.Reason.values())
                .filter(reason -> state.lastMessage().startsWith(reason + ":"))
                .findFirst();
        boolean toldBelow = state.refusal(config.instanceId()).isPresent();
        String message = state.lastMessage().isEmpty() || toldBelow ? "" : ", last_msg " + state.lastMessage();
        out.println("instance " + config.instanceId() + ": stage " + state.stage() + ", state " + state.state()
                + ", checkpoint " + state.checkpoint() + time(state.checkpoint()) + message);
        long members = state.streams().stream()
                .filter(row -> row.state() == StreamState.MEMBER)
                .count();
        out.println(
                state.streams().isEmpty()
                        ? "members: none recorded; a start records those that it takes from the file"
                        : "members: " + members + " recorded, "
                                + config.streams().size() + " in the file");
    }

    private static String time(Position checkpoint) {
        return checkpoint.step() <= 0 ? "" : " (" + Instant.ofEpochMilli(checkpoint.step()) + ")";
    }

    private void lock(Optional<Holder> holder) {
        if (holder.isEmpty()) {
            out.println("lock: free");
            return;
        }
        String held = "lock: held by " + holder.get().owner() + ", for "
                + holder.get().left().toSeconds() + " s unless it renews it; ";
        if (config.waitForLock()) {
            out.println(held + "a start stands by until it is free");
            return;
        }
        endsWith(
                ExitCode.LOCK,
                held + "a start waits for it:",
                List.of("it ends with code " + ExitCode.LOCK.code() + " if it is still held after "
                        + config.tuning().get(Tuning.LOCK_WAIT).toSeconds()
                        + " s (replicator.lock_wait). Stop the other process, or set multiple_instances_mode"));
    }

    private Consumers consumers(Databases databases) {
        List<StreamSpec> streams = Databases.streams(config);
        TopicDescriber describer = databases.describer(config);
        List<Topic> topics = new ArrayList<>();
        for (int stream = 0; stream < streams.size(); stream++) {
            StreamSpec spec = streams.get(stream);
            Result<Described> described = describer.describe(stream, spec.topic(), spec.consumer());
            if (!described.isSuccess()) {
                return new Consumers(topics, Optional.of(spec));
            }
            topics.add(new Topic(
                    described.getValue().topicCreatedAt(), described.getValue().partitions()));
        }
        return new Consumers(topics, Optional.empty());
    }

    private void compare(Consumers consumers, SavedState state) {
        if (consumers.unknown().isPresent()) {
            StreamSpec spec = consumers.unknown().get();
            state.refusal(config.instanceId()).ifPresent(problem -> refuse(List.of(problem)));
            out.println("members and offsets: not compared, since consumer " + spec.consumer() + " of " + spec.topic()
                    + " cannot be described");
            return;
        }
        out.println("consumers: all there; messages to read: " + unread(consumers.topics()));
        refuse(Outlook.problems(config.instanceId(), Databases.streams(config), state, consumers.topics()));
    }

    private static long unread(List<Topic> topics) {
        return topics.stream()
                .flatMap(topic -> topic.partitions().stream())
                .mapToLong(StartCheck::unread)
                .sum();
    }

    private static long unread(PartitionInfo partition) {
        return partition.endOffset() - Math.max(partition.startOffset(), partition.committedOffset());
    }

    private void refuse(List<Problem> problems) {
        if (problems.isEmpty()) {
            return;
        }
        ExitCode with = ExitCode.of(new Exit(Optional.of(problems.get(0)), true));
        Problem.Reason first = problems.get(0).reason();
        String page =
                " (" + ExitCode.page(first == Problem.Reason.STATE_INVALID ? written.orElse(first) : first) + "):";
        endsWith(
                with,
                wrong == 0
                        ? "a start would end with code " + with.code() + page
                        : "a start would end with code " + code.code() + " for that, and once it is mended for this"
                                + page,
                problems.stream().map(Problem::text).toList());
    }
}
