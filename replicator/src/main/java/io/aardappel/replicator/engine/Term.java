package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Anew;
import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Command;
import io.aardappel.replicator.core.Counters;
import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.Membership;
import io.aardappel.replicator.core.Membership.Topic;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.PartitionView;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.Replication;
import io.aardappel.replicator.core.Rules;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.Start;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.Decisions.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the engine knows and reads within one term of the lock. When the lock is lost the term is thrown away whole: buffers,
 * barriers and offsets with it. Not thread-safe.
 */
final class Term {
    private static final Logger LOG = LoggerFactory.getLogger(Term.class);
    /** Changefeeds tell a column's type and not its default, which rows have that are not written again. */
    private static final String WITH_DEFAULTS = " -- and the DEFAULT of each column that has one at the source";

    /** One record of a topic. */
    private record Asked(PartitionId partition, long offset) {}

    /**
     * What is wrong at the source and is being tried again.
     *
     * @param stream index of the stream, -1 when it concerns all
     */
    record Trouble(int stream, String what) {}

    /**
     * A session begins where ours cannot have left it: somebody moved the consumer, or the topic is another one of the same
     * name, which a description tells.
     *
     * @param problem what it is if it is the same topic
     * @param askedBefore whether the description that comes next was asked for before
     */
    private record Suspicion(int stream, Problem problem, boolean askedBefore) {}

    /** A record about which nobody has decided yet, and why that is needed. */
    record OpenQuestion(PartitionId partition, Problem problem) {}

    /** What a description does not show yet is asked for again after this. */
    private static final long DESCRIBE_PAUSE_NANOS = 100_000_000L;

    private final EngineSettings settings;
    private final ChangeSource source;
    private final Decisions decisions;
    private final Rules rules;
    private final SavedState saved;
    private final @Nullable Topic[] topics;
    /** What nobody has decided about yet, in the order in which it was asked. */
    private final Map<Asked, Problem> questions = new LinkedHashMap<>();

    private final Map<Integer, String> sourceTroubles = new HashMap<>();
    /** Why the last session ended, of partitions that have none now. */
    private final Map<PartitionId, String> sessionEnds = new HashMap<>();
    /** What partitions wait for that the destination tables lack; in the order in which that began. */
    private final Map<PartitionId, Awaited> schemas = new LinkedHashMap<>();

    /** What was said of columns that destination tables lack, not to be said again by each partition. */
    private final Set<String> saidLacking = new HashSet<>();
    /** When a topic may be described again, by stream; in the order they were asked for. */
    private final Map<Integer, Long> describeDue = new LinkedHashMap<>();

    private final Ticker ticker;
    private final EngineObserver observer;
    /** Streams whose description is asked for and not yet here. */
    private final BitSet awaited = new BitSet();

    private final HistoryWatch history;
    private long periodicAt;
    private int periodicStream;
    private @Nullable OffsetWatch offsets;
    private long sourceTime;
    private @Nullable Replication replication;
    private @Nullable Problem problem;
    private @Nullable Suspicion suspicion;

    /** A partition that waits for a column of its destination table, since so many wall-clock milliseconds. */
    record Awaited(PartitionId partition, String topic, long since, String what) {}

    Term(EngineSettings settings, Engine.Ports ports, Rules rules, SavedState saved) {
        this.settings = settings;
        this.source = ports.source();
        this.decisions = ports.decisions();
        this.ticker = ports.ticker();
        this.observer = ports.observer();
        this.rules = rules;
        this.saved = saved;
        this.history = new HistoryWatch(ticker);
        this.topics = new @Nullable Topic[settings.streams().size()];
    }

    /** Asks for all topics; the rest follows from their descriptions. */
    void begin() {
        for (int stream = 0; stream < topics.length; stream++) {
            describe(stream);
        }
    }

    private void describe(int stream) {
        if (offsets != null && replication != null) {
            offsets.asked(stream, replication.partitions());
        }
        awaited.set(stream);
        source.describe(stream);
    }

    /**
     * Asks what is due to be asked.
     *
     * @return how much that was
     */
    int turn() {
        long now = ticker.nanos();
        int asked = describePeriodically(now);
        for (Iterator<Map.Entry<Integer, Long>> due = describeDue.entrySet().iterator(); due.hasNext(); ) {
            Map.Entry<Integer, Long> next = due.next();
            if (now - next.getValue() >= 0) {
                due.remove();
                describe(next.getKey());
                asked++;
            }
        }
        return asked;
    }

    /**
     * Every stream once in an interval, spread over it. Only so are partitions seen that nobody announced: those that an
     * altered topic has without parents; and consumers that were moved while their sessions go on.
     */
    private int describePeriodically(long now) {
        if (replication == null || now - periodicAt < 0) {
            return 0;
        }
        periodicAt = now + describePause();
        int stream = periodicStream;
        periodicStream = (stream + 1) % topics.length;
        if (awaited.get(stream)) {
            return 0; // the source asks on until it has an answer
        }
        describe(stream);
        return 1;
    }

    private long describePause() {
        return Math.max(1, settings.describeInterval().toNanos() / topics.length);
    }

    /** Present once all topics are described and the membership is accepted. */
    Optional<Replication> replication() {
        return Optional.ofNullable(replication);
    }

    /** Whether it is being found out why it must end. No transaction is to be begun. */
    boolean suspects() {
        return suspicion != null;
    }

    SavedState saved() {
        return saved;
    }

    /** Why this term cannot go on, absent while it can. */
    Optional<Problem> problem() {
        return Optional.ofNullable(problem);
    }

    /** The first of what is wrong at the source, absent when nothing is. */
    Optional<Trouble> sourceTrouble() {
        return sourceTroubles.entrySet().stream()
                .findFirst()
                .map(trouble -> new Trouble(trouble.getKey(), trouble.getValue()));
    }

    /** The question that has been open for longest, absent when there is none. */
    Optional<OpenQuestion> openQuestion() {
        return questions.entrySet().stream()
                .findFirst()
                .map(question -> new OpenQuestion(question.getKey().partition(), question.getValue()));
    }

    /** The partition that has waited longest for a column of its destination table, absent when none does. */
    Optional<Awaited> schemaAwaited() {
        return schemas.values().stream().findFirst();
    }

    /** Why the partition's last session ended, absent while it has one or had none. */
    Optional<String> sessionEnd(PartitionId partition) {
        return Optional.ofNullable(sessionEnds.get(partition));
    }

    /** The partitions it came from when they were split or merged, as last described. */
    List<Long> parents(PartitionId partition) {
        Topic topic = topics[partition.stream()];
        return topic == null
                ? List.of()
                : topic.partitions().stream()
                        .filter(info -> info.id() == partition.partition())
                        .findFirst()
                        .map(info -> List.copyOf(info.parents()))
                        .orElse(List.of());
    }

    /** How long the stream's topic still keeps what is not committed, absent while that is not known. */
    Optional<HistoryWatch.Left> historyLeft(int stream, List<PartitionView> views) {
        return history.left(stream, views);
    }

    Counters counters() {
        return replication == null ? Counters.NONE : replication.counters();
    }

    void fail(Problem why) {
        if (problem == null) {
            problem = why;
        }
    }

    // ---- events

    void on(SourceEvent event) {
        if (event instanceof SourceEvent.Records records) {
            onRecords(records);
        } else if (event instanceof SourceEvent.Described described) {
            onDescribed(described);
        } else if (event instanceof SourceEvent.SourceFailed failed) {
            onFailed(failed);
        } else if (event instanceof SourceEvent.SchemaAwaited awaited) {
            onAwaited(awaited);
        } else if (replication != null) {
            onSession(replication, event);
        }
        carryOut();
    }

    private void onRecords(SourceEvent.Records records) {
        history.read(records);
        if (replication != null) {
            replication.records(
                    records.partition(), records.session(), records.offsets(), records.records(), records.nextOffset());
        }
        schemas.remove(records.partition());
        source.taken(records);
        answered(records.partition().stream());
    }

    /** The destination's schema is what matters; that the source's changed explains what may follow. */
    private void tell(PartitionId partition, StreamRecord.SchemaChange change) {
        observer.schemaChanged(partition.stream());
        LOG.atInfo()
                .setMessage("the source table's schema changed")
                .addKeyValue(
                        "stream", settings.streams().get(partition.stream()).topic())
                .addKeyValue("partition", partition.partition())
                .addKeyValue("version", change.version() < 0 ? "not told" : change.version())
                .addKeyValue("position", change.position())
                .log();
        tellLacking(partition, change);
    }

    private void tellLacking(PartitionId partition, StreamRecord.SchemaChange change) {
        String table = settings.streams().get(partition.stream()).table();
        if (change.lacking().isEmpty() || !saidLacking.add(partition.stream() + " " + change.lacking())) {
            return;
        }
        String columns = change.lacking().entrySet().stream()
                .map(column -> "ADD COLUMN `" + column.getKey() + "` " + column.getValue())
                .collect(Collectors.joining(", "));
        LOG.atWarn()
                .setMessage(
                        "the destination table lacks columns that the source table has; records that carry them wait")
                .addKeyValue(
                        "stream", settings.streams().get(partition.stream()).topic())
                .addKeyValue("table", table)
                .addKeyValue("lacks", change.lacking())
                .addKeyValue("remedy", "ALTER TABLE `" + table + "` " + columns + WITH_DEFAULTS)
                .log();
    }

    private void onAwaited(SourceEvent.SchemaAwaited awaited) {
        String topic = settings.streams().get(awaited.partition().stream()).topic();
        schemas.putIfAbsent(
                awaited.partition(), new Awaited(awaited.partition(), topic, ticker.wallMillis(), awaited.what()));
    }

    /** Something of the stream works; what was wrong with it is over only when none of its partitions has lost its session. */
    private void answered(int stream) {
        if (sourceTroubles.containsKey(stream) && (replication == null || allAreRead(replication, stream))) {
            passed(stream);
        }
    }

    /** Said once for what was said once, and at its level: whoever saw the one sees the other. */
    private void passed(int stream) {
        if (sourceTroubles.remove(stream) != null) {
            LOG.atWarn()
                    .setMessage("source answers again")
                    .addKeyValue(
                            "stream",
                            stream < 0 ? "all" : settings.streams().get(stream).topic())
                    .log();
        }
    }

    private boolean allAreRead(Replication current, int stream) {
        return current.partitions().stream()
                .filter(view -> view.partition().stream() == stream)
                .allMatch(view -> view.session() || view.parked() || !sessionEnds.containsKey(view.partition()));
    }

    private void onSession(Replication replication, SourceEvent event) {
        if (event instanceof SourceEvent.SessionStarted started) {
            sessionEnds.remove(started.partition());
            onStarted(replication, started);
        } else if (event instanceof SourceEvent.SessionEnded ended) {
            sessionEnds.put(ended.partition(), ended.why());
            schemas.remove(ended.partition());
            replication.sessionEnded(ended.partition(), ended.session());
        } else if (event instanceof SourceEvent.PartitionEnded ended) {
            replication.partitionEnded(ended.partition(), ended.session());
        } else if (event instanceof SourceEvent.OffsetsAcknowledged acknowledged) {
            replication.acknowledged(acknowledged.partition(), acknowledged.session(), acknowledged.committedOffset());
        } else {
            throw new IllegalArgumentException("unknown event " + event);
        }
    }

    private void onStarted(Replication replication, SourceEvent.SessionStarted started) {
        replication.sessionStarted(
                started.partition(),
                started.session(),
                started.committedOffset(),
                started.startOffset(),
                started.endOffset());
        List<Command> certain = new ArrayList<>();
        for (Command command : replication.commands()) {
            if (command instanceof Command.Fail failure && failure.problem().reason() == Reason.OFFSETS_MOVED) {
                suspect(started.partition().stream(), failure.problem());
            } else {
                certain.add(command);
            }
        }
        carryOut(certain);
    }

    private void suspect(int stream, Problem why) {
        if (suspicion == null) {
            suspicion = new Suspicion(stream, why, awaited.get(stream));
            if (!awaited.get(stream)) {
                describe(stream);
            }
        }
    }

    /** The topic is the one it was, at the moment of a description. */
    private void confirm(Suspicion suspected) {
        if (suspected.askedBefore()) {
            suspicion = new Suspicion(suspected.stream(), suspected.problem(), false);
            describe(suspected.stream());
        } else {
            fail(suspected.problem());
        }
    }

    private void onDescribed(SourceEvent.Described described) {
        awaited.clear(described.stream());
        answered(described.stream());
        passed(-1);
        history.described(described);
        sourceTime = Math.max(sourceTime, described.sourceTime());
        Topic before = topics[described.stream()];
        topics[described.stream()] = new Topic(described.topicCreatedAt(), described.partitions());
        if (before != null && before.createdAt() != described.topicCreatedAt()) {
            fail(new Problem(
                    Reason.TOPIC_RECREATED,
                    "topic %s was created again while it was read"
                            .formatted(
                                    settings.streams().get(described.stream()).topic()),
                    Anew.bringInBeforeAll(settings.streams().get(described.stream()))));
        } else if (suspicion != null && suspicion.stream() == described.stream()) {
            confirm(suspicion);
        } else if (replication != null) {
            replication.described(described.stream(), described.partitions());
            compareOffsets(described.stream(), described.partitions(), replication);
        } else {
            startReplication();
        }
    }

    private void startReplication() {
        List<Topic> described = new ArrayList<>();
        for (Topic topic : topics) {
            if (topic == null) {
                return;
            }
            described.add(topic);
        }
        Membership membership = Membership.check(settings.streams(), saved, described);
        if (!membership.problems().isEmpty()) {
            membership.problems().forEach(refusal -> LOG.error("configuration refused: {}", refusal.text()));
            fail(membership.problems().get(0));
            return;
        }
        Position sourceNow = new Position(sourceTime + settings.scanAllowance().toMillis(), -1L);
        Start start = Start.of(saved, sourceNow, settings.streams());
        Replication begun = new Replication(
                settings.streams(),
                settings.transaction(),
                settings.memoryBytes(),
                start,
                membership,
                saved.decisions(),
                rules);
        replication = begun;
        LOG.atInfo()
                .setMessage("replication begins")
                .addKeyValue("stage", start.stage())
                .addKeyValue("checkpoint", start.checkpoint())
                .addKeyValue("floor", start.floor())
                .addKeyValue("aligned", begun.aligned())
                .log();
        if (start.stage() == Stage.RUN && !start.vouched()) {
            Membership.sharing(settings.streams()).forEach(Term::warnOfTrust);
        }
        offsets = new OffsetWatch(settings.streams());
        periodicAt = ticker.nanos() + describePause();
        for (int stream = 0; stream < described.size(); stream++) {
            begun.described(stream, described.get(stream).partitions());
            compareOffsets(stream, described.get(stream).partitions(), begun);
        }
    }

    private void tell(Command.TellMovedOn moved) {
        StreamSpec stream = settings.streams().get(moved.partition().stream());
        LOG.atWarn()
                .setMessage("the consumer was moved on after this process had the lock")
                .addKeyValue("stream", stream.topic())
                .addKeyValue("consumer", stream.consumer())
                .addKeyValue("partition", moved.partition().partition())
                .addKeyValue("found", moved.found())
                .addKeyValue("committed", moved.committed())
                .addKeyValue(
                        "text",
                        "the program that replicated before may have committed late what it had applied; if somebody else reads by"
                                + " this consumer, changes between these offsets are missing from the copy: end that reader, stop"
                                + " the replication, set the consumer back to where it was found, and start again")
                .log();
    }

    private static void warnOfTrust(StreamSpec sharing) {
        LOG.atWarn()
                .setMessage("the checkpoint was moved by others and is believed, because two streams write this table")
                .addKeyValue("table", sharing.table())
                .addKeyValue("stream", sharing.topic())
                .log();
    }

    private void compareOffsets(int stream, List<PartitionInfo> partitions, Replication current) {
        if (offsets != null) {
            offsets.described(stream, partitions, current.partitions()).ifPresent(this::fail);
        }
    }

    private void onFailed(SourceEvent.SourceFailed failed) {
        if (failed.fatal()) {
            fail(new Problem(Reason.SOURCE_FAILED, failed.what(), failed.remedy()));
            return;
        }
        String earlier = sourceTroubles.put(failed.stream(), failed.what());
        if (!failed.what().equals(earlier)) {
            LOG.atWarn()
                    .setMessage("source does not answer")
                    .addKeyValue("what", failed.what())
                    .addKeyValue("remedy", failed.remedy())
                    .log();
        }
    }

    /** Answers whether it was an open question. */
    boolean on(DecisionEvent.Decided decided) {
        Problem asked = questions.remove(new Asked(decided.partition(), decided.offset()));
        if (asked == null || replication == null) {
            return false;
        }
        if (decided.verdict() == Verdict.STOP) {
            fail(asked);
            return true;
        }
        Action action = decided.verdict() == Verdict.APPLY ? Action.APPLY : Action.SKIP;
        LOG.atWarn()
                .setMessage(action == Action.APPLY ? "apply out of order message" : "skip message")
                .addKeyValue("decidedBy", decided.by())
                .addKeyValue("problem", asked.what())
                .log();
        replication.decided(decided.partition(), decided.offset(), action, decided.by());
        carryOut();
        return true;
    }

    /** Which records make the refused row is found out, and they are decided about like every other problem. */
    void refused(Batch batch, TargetEvent.Refused answer) {
        if (replication == null) {
            return;
        }
        LOG.atWarn()
                .setMessage("the destination refuses a transaction for a row of it")
                .addKeyValue("changes", batch.changes())
                .addKeyValue("why", answer.problem().what())
                .log();
        boolean named = answer.blame() == TargetEvent.Blame.THIS_ROW;
        replication.refused(batch, named ? answer.row() : Optional.empty(), answer.problem());
        carryOut();
    }

    // ---- commands

    /** Carries out what the core wants done at the source. */
    void carryOut() {
        if (replication != null) {
            carryOut(replication.commands());
        }
    }

    private void carryOut(List<Command> commands) {
        List<Problem> refusals = new ArrayList<>();
        commands.forEach(command -> carryOut(command, refusals));
        SameReason.asOne(refusals).ifPresent(this::fail);
    }

    private void carryOut(Command command, List<Problem> refusals) {
        if (command instanceof Command.Commit commit) {
            source.commit(commit.partition(), commit.session(), commit.from(), commit.to());
        } else if (command instanceof Command.Confirm confirm) {
            source.confirm(confirm.partition(), confirm.session(), confirm.readOffset());
        } else if (command instanceof Command.Open open) {
            source.open(open.partition());
        } else if (command instanceof Command.Release release) {
            LOG.atInfo()
                    .setMessage("partition is done with")
                    .addKeyValue("stream", settings.streams().get(release.partition().stream()))
                    .addKeyValue("partition", release.partition().partition())
                    .log();
            source.release(release.partition());
        } else if (command instanceof Command.Reopen reopen) {
            source.reopen(reopen.partition());
        } else if (command instanceof Command.Park park) {
            source.park(park.partition());
        } else if (command instanceof Command.Resume resume) {
            source.resume(resume.partition());
        } else if (command instanceof Command.Describe describe) {
            describeDue.putIfAbsent(describe.stream(), ticker.nanos() + DESCRIBE_PAUSE_NANOS);
        } else if (command instanceof Command.Ask ask) {
            questions.put(new Asked(ask.partition(), ask.offset()), ask.problem());
            decisions.ask(new Decisions.Question(
                    ask.partition(),
                    ask.offset(),
                    ask.position(),
                    ask.key(),
                    ask.change(),
                    ask.wording(),
                    ask.barrier(),
                    ask.problem(),
                    ask.companions()));
        } else if (command instanceof Command.TellSchemaChange told) {
            tell(told.partition(), told.change());
        } else if (command instanceof Command.TellMovedOn moved) {
            tell(moved);
        } else if (command instanceof Command.Fail failure) {
            refusals.add(failure.problem());
        } else {
            throw new IllegalArgumentException("unknown command " + command);
        }
    }
}
