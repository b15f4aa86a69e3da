package io.aardappel.operator.plan;

import io.aardappel.contract.Stage;
import io.aardappel.crds.api.ReplicationSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What the conditions say. Each is told by what was observed; the summary is told by the others, the worst first. */
final class Judgement {
    /** A checkpoint that has not moved for so many heartbeat intervals stands still. */
    private static final int INTERVALS_MAX = 3;

    private static final String MORE = " Not all can be named at once: when these are out, the others are named.";

    /** Words of the replicator's page. */
    private static final String BLOCKED_BY_SOURCE = "source";

    private static final String BLOCKED_BY_SCHEMA = "schema";

    /** With it begins what stands in a row that a record has stopped which does not fit. */
    private static final String UNFIT = "UNFIT_RECORD";

    private static final String MODE_ACTIVE = "active";

    private static final String SCANNED =
            "rows are applied as they come; until every partition was read the tables are no snapshot";

    /** What is told by the rows of the instance, and by pods that have its lock. */
    private static final Set<ConditionType> OF_THE_INSTANCE = EnumSet.of(
            ConditionType.SOURCE_REACHABLE,
            ConditionType.DESTINATION_REACHABLE,
            ConditionType.LOCK_HELD,
            ConditionType.PROGRESSING,
            ConditionType.SCHEMA_COMPATIBLE,
            ConditionType.ALIGNED,
            ConditionType.STREAMS_ACCEPTED);

    private static final String NOT_SERVED = "not looked at: the resource is not served, Configured says why";

    private final Observed seen;
    private final ReplicationSpec spec;
    private final Streams streams;
    private final Verdict configured;

    private Judgement(Observed seen, Streams streams, Verdict configured) {
        this.seen = seen;
        this.spec = seen.resource().getSpec();
        this.streams = streams;
        this.configured = configured;
    }

    /** Of a resource that stays. */
    static Map<ConditionType, Verdict> of(Observed seen, Streams streams, Verdict configured) {
        return new Judgement(seen, streams, configured).all();
    }

    /** Of a resource that goes. */
    static Map<ConditionType, Verdict> ofDeleted(String message) {
        Map<ConditionType, Verdict> all = new EnumMap<>(ConditionType.class);
        all.put(ConditionType.READY, Verdict.no(Reason.DELETING, message));
        all.put(ConditionType.RECONCILING, Verdict.yes(Reason.DELETING, message));
        all.put(ConditionType.STALLED, Verdict.no(Reason.DELETING, message));
        return all;
    }

    private Map<ConditionType, Verdict> all() {
        Map<ConditionType, Verdict> all = new EnumMap<>(ConditionType.class);
        Verdict ready = ready();
        boolean waitsForAPerson = ready.reason().needsAPerson();
        boolean settled =
                ready.isTrue() || ready.reason() == Reason.SUSPENDED || ready.reason() == Reason.SCALED_TO_ZERO;
        all.put(ConditionType.READY, ready);
        all.put(
                ConditionType.RECONCILING,
                new Verdict(
                        !waitsForAPerson && !(settled && configured.isTrue())
                                ? Verdict.Status.TRUE
                                : Verdict.Status.FALSE,
                        ready.reason(),
                        ready.message()));
        all.put(
                ConditionType.STALLED,
                new Verdict(
                        waitsForAPerson ? Verdict.Status.TRUE : Verdict.Status.FALSE, ready.reason(), ready.message()));
        all.put(ConditionType.CONFIGURED, inForce());
        all.put(ConditionType.SOURCE_REACHABLE, source());
        all.put(ConditionType.DESTINATION_REACHABLE, reachable());
        all.put(ConditionType.LOCK_HELD, held());
        all.put(ConditionType.PROGRESSING, progressing());
        all.put(ConditionType.SCHEMA_COMPATIBLE, schema());
        all.put(ConditionType.ALIGNED, aligned());
        all.put(ConditionType.STREAMS_ACCEPTED, accepted());
        all.put(ConditionType.SUSPENDED, suspended());
        all.put(ConditionType.COMMANDS_UNDERSTOOD, Commands.understood(seen, streams));
        if (!seen.isServed()) {
            OF_THE_INSTANCE.forEach(type -> all.put(type, Verdict.unknown(Reason.CONFLICT, NOT_SERVED)));
        }
        return all;
    }

    /** A stream that is kept, or is no member, is not as the resource says, however the pods are. */
    private Verdict inForce() {
        Verdict told = accepted();
        return configured.isTrue() && told.status() == Verdict.Status.FALSE
                ? Verdict.no(
                        told.reason(),
                        "all that the resource asks for is in force, but for its streams: see StreamsAccepted")
                : configured;
    }

    private Verdict ready() {
        if (configured.reason().needsAPerson()) {
            return Verdict.no(configured.reason(), configured.message());
        }
        if (isFatal()) {
            return Verdict.no(Reason.FATAL, fatalMessage());
        }
        if (Rollout.podsOf(spec) == 0) {
            Verdict pause = suspended();
            return pause.isTrue()
                    ? Verdict.unknown(pause.reason(), pause.message())
                    : Verdict.no(pause.reason(), pause.message());
        }
        if (configured.reason() == Reason.RECONCILIATION_FAILED) {
            return configured; // it is known, and what the database would say changes nothing about it
        }
        if (!reachable().isTrue()) {
            return new Verdict(
                    seen.state() instanceof StateSeen.Unreachable ? Verdict.Status.FALSE : Verdict.Status.UNKNOWN,
                    reachable().reason(),
                    reachable().message());
        }
        for (Verdict verdict : new Verdict[] {
            configured, held(), stage(), passable(schema()), progressing(), accepted(), passable(aligned())
        }) {
            if (!verdict.isTrue()) {
                return verdict;
            }
        }
        return Verdict.yes(Reason.REPLICATING, "the active pod holds the lock and the checkpoint moves");
    }

    /** What only a page tells keeps nobody from being ready while no page can be read. */
    private static Verdict passable(Verdict told) {
        return told.status() == Verdict.Status.UNKNOWN ? Verdict.yes(told.reason(), told.message()) : told;
    }

    private boolean isFatal() {
        return seen.state() instanceof StateSeen.Row row && row.fatal();
    }

    private String fatalMessage() {
        String last = seen.state() instanceof StateSeen.Row row ? row.lastMessage() : "";
        return "FATAL_ERROR: " + (last.isEmpty() ? "the state row says no more" : last)
                + ". Repair what it names, then set the annotation " + Commands.RESUME + " to any new value";
    }

    private Verdict reachable() {
        if (seen.state() instanceof StateSeen.Unreachable away) {
            return away.noDatabase()
                    ? Verdict.no(
                            Reason.DATABASE_NOT_FOUND,
                            "the destination has no such database: " + away.why()
                                    + ". Correct the path of the database in "
                                    + (spec.destination().connectionString() == null
                                            ? "spec.destination.database"
                                            : "spec.destination.connectionString")
                                    + ", or make the database")
                    : Verdict.no(Reason.UNREACHABLE, "the state table cannot be read: " + away.why());
        }
        if (seen.state() instanceof StateSeen.Absent) {
            return Verdict.yes(Reason.READ, "the destination answers, and has no row of this instance yet");
        }
        return seen.state() instanceof StateSeen.NotAsked
                ? Verdict.unknown(Reason.NOT_READ, "the state table is being asked for the first time")
                : Verdict.yes(Reason.READ, "the state table was read");
    }

    /**
     * Of what stands in the state table while that is not known.
     *
     * @param what it is, with its verb, such as {@code the lock stands}
     */
    private Verdict unread(String what) {
        return seen.state() instanceof StateSeen.Unreachable
                ? Verdict.unknown(Reason.UNREACHABLE, what + " in the state table, which cannot be read now")
                : Verdict.unknown(
                        Reason.NOT_READ, what + " in the state table, which is being asked for the first time");
    }

    /** Why no pod is there, where that is as it should be. */
    private Optional<Verdict> still() {
        if (!seen.pods().isEmpty()) {
            return Optional.empty();
        }
        if (isFatal()) {
            return Optional.of(Verdict.no(Reason.FATAL, "no pod runs after FATAL_ERROR"));
        }
        if (Boolean.TRUE.equals(spec.suspend())) {
            return Optional.of(Verdict.no(Reason.SUSPENDED, "no pod runs: the resource is suspended"));
        }
        return Rollout.podsOf(spec) == 0
                ? Optional.of(Verdict.no(Reason.SCALED_TO_ZERO, "no pod runs: the resource asks for none"))
                : Optional.empty();
    }

    /** All pods end again and again, each for so many times that only a person will change it. */
    private Optional<Verdict> crashLoop() {
        boolean all = !seen.pods().isEmpty() && seen.pods().stream().allMatch(Observed.PodSeen::keepsEnding);
        return all
                ? Optional.of(Verdict.no(
                        Reason.CRASH_LOOP,
                        "no pod has taken the lock, and all of them end again and again: "
                                + lastWords(seen.pods().get(0))))
                : Optional.empty();
    }

    static String lastWords(Observed.PodSeen pod) {
        Observed.Crash crash = pod.crash().orElseThrow();
        return "pod " + pod.name() + " was started " + crash.times() + " times in vain and " + crash.words()
                + ". It is started again all the same, ever more seldom; repair what it names";
    }

    /** Only a pod that holds the lock reads the source; another one may wait for it at its start. */
    private Verdict source() {
        Optional<Verdict> untold = untold("the source");
        if (untold.isPresent() || !(seen.page() instanceof PageSeen.Page page)) {
            return untold.orElseThrow();
        }
        Optional<PageSeen.Blocking> trouble = blocked(page, BLOCKED_BY_SOURCE);
        if (trouble.isPresent()) {
            return Verdict.no(
                    Reason.SOURCE_UNREACHABLE,
                    "pod " + page.pod() + " cannot read it: " + trouble.get().text());
        }
        return page.mode().equals(MODE_ACTIVE)
                ? Verdict.yes(Reason.SOURCE_READ, "pod " + page.pod() + " reads it")
                : idle(page);
    }

    /** A process that has ended because of a record tells it by the row alone: its page is gone. */
    private Verdict schema() {
        if (seen.state() instanceof StateSeen.Row row
                && row.fatal()
                && row.lastMessage().startsWith(UNFIT)) {
            return Verdict.no(Reason.RECORD_UNFIT, row.lastMessage());
        }
        Optional<Verdict> untold = untold("whether records fit");
        if (untold.isPresent() || !(seen.page() instanceof PageSeen.Page page)) {
            return untold.orElseThrow();
        }
        Optional<PageSeen.Blocking> trouble = blocked(page, BLOCKED_BY_SCHEMA);
        if (trouble.isPresent()) {
            return Verdict.no(
                    Reason.COLUMN_MISSING,
                    "pod " + page.pod() + " waits for a column: "
                            + trouble.get().text()
                            + ". Add it to the table: the record waits for half a minute, then it counts as one that does not"
                            + " fit");
        }
        return page.mode().equals(MODE_ACTIVE)
                ? Verdict.yes(Reason.SCHEMA_FITS, "pod " + page.pod() + " waits for no column")
                : idle(page);
    }

    private Verdict aligned() {
        Optional<Verdict> untold = untold("whether the tables are a snapshot");
        if (untold.isPresent() || !(seen.page() instanceof PageSeen.Page page)) {
            return untold.orElseThrow();
        }
        if (!page.mode().equals(MODE_ACTIVE)) {
            return idle(page);
        }
        return switch (page.alignment()) {
            case UNTOLD -> Verdict.unknown(Reason.NOT_READ, "pod " + page.pod() + " does not say");
            case SNAPSHOT -> Verdict.yes(Reason.ALIGNED, "each checkpoint makes the tables a snapshot of the source");
            case SCANNED -> Verdict.no(Reason.INITIAL_SCAN, SCANNED);
            case CATCHING_UP ->
                Verdict.no(
                        Reason.NOT_ALIGNED,
                        "the tables are no snapshot of the source until a checkpoint is above all that others may have"
                                + " applied; pod " + page.pod() + " comes to it by itself");
        };
    }

    private static Optional<PageSeen.Blocking> blocked(PageSeen.Page page, String reason) {
        return page.blocking().filter(blocking -> blocking.reason().equals(reason));
    }

    /**
     * Why no pod tells; empty where one that has started does.
     *
     * @param what it would tell
     */
    private Optional<Verdict> untold(String what) {
        if (seen.page() instanceof PageSeen.Unreachable away) {
            return Optional.of(Verdict.unknown(
                    Reason.PAGE_UNREACHABLE,
                    "pod " + away.pod() + " would tell " + what + ", and its page cannot be read: " + away.why()));
        }
        if (!(seen.page() instanceof PageSeen.Page page)) {
            return Optional.of(still().map(why -> Verdict.unknown(why.reason(), why.message()))
                    .orElse(Verdict.unknown(Reason.NOT_READ, "no pod has been asked yet")));
        }
        return page.waitsFor().isEmpty()
                ? Optional.empty()
                : Optional.of(Verdict.unknown(
                        Reason.STARTING,
                        "pod " + page.pod() + " has not started; it waits for: " + String.join("; ", page.waitsFor())));
    }

    private static Verdict idle(PageSeen.Page page) {
        return Verdict.unknown(Reason.NOT_READ, "no pod replicates; pod " + page.pod() + " is in mode " + page.mode());
    }

    /** What the pod that was asked waits for at its start. */
    private String startWaits() {
        return seen.page() instanceof PageSeen.Page page && !page.waitsFor().isEmpty()
                ? "; pod " + page.pod() + " waits for: " + String.join("; ", page.waitsFor())
                : "";
    }

    private Verdict held() {
        if (!(seen.state() instanceof StateSeen.Row row)) {
            return seen.state() instanceof StateSeen.Absent
                    ? still().or(this::crashLoop)
                            .orElseGet(() -> Verdict.no(
                                    Reason.STARTING,
                                    "nothing has replicated for this instance yet" + trouble() + startWaits()))
                    : unread("the lock stands");
        }
        Holder holder = Holder.of(row, seen.pods(), seen.podPrefix());
        if (holder instanceof Holder.Ours ours) {
            return ours.pod().ready()
                    ? Verdict.yes(Reason.HELD, "pod " + ours.pod().name() + " holds it")
                    : Verdict.no(
                            Reason.HOLDER_NOT_READY,
                            "pod " + ours.pod().name() + " holds the lock and is not ready"
                                    + ours.pod()
                                            .trouble()
                                            .map(why -> ": " + why)
                                            .orElse(""));
        }
        if (holder instanceof Holder.Foreign foreign) {
            return Verdict.no(
                    Reason.FOREIGN_HOLDER,
                    "another program holds the lock of this instance: " + foreign.owner()
                            + ". The pods stand by; end that program and one of them takes over");
        }
        Optional<Verdict> none = still().or(this::crashLoop);
        if (none.isPresent()) {
            return none.get();
        }
        if (holder instanceof Holder.Gone gone) {
            return Verdict.no(
                    Reason.TAKEOVER_PENDING,
                    "the lock is still that of " + gone.owner()
                            + ", which is gone; a standby takes it when it runs out");
        }
        return Verdict.no(
                seen.pods().stream().anyMatch(Observed.PodSeen::ready) ? Reason.NO_HOLDER : Reason.STARTING,
                "no pod has taken the lock" + trouble() + startWaits());
    }

    /** The first pod that does not run, and why. */
    private String trouble() {
        return seen.pods().stream()
                .filter(pod -> pod.trouble().isPresent())
                .findFirst()
                .map(pod -> "; pod " + pod.name() + ": " + pod.trouble().orElseThrow())
                .orElse("");
    }

    private Verdict stage() {
        return seen.state() instanceof StateSeen.Row row && row.stage() == Stage.INITIAL_SCAN
                ? Verdict.no(Reason.INITIAL_SCAN, SCANNED)
                : Verdict.yes(Reason.REPLICATING, "the tables are a snapshot");
    }

    private Verdict progressing() {
        if (!(seen.state() instanceof StateSeen.Row row)) {
            return seen.state() instanceof StateSeen.Absent
                    ? still().orElse(Verdict.unknown(
                            Reason.NOT_MEASURED,
                            "there is no checkpoint yet: nothing has replicated for this instance"))
                    : unread("the checkpoint stands");
        }
        Optional<Verdict> still = still();
        if (still.isPresent()) {
            return Verdict.no(
                    still.get().reason(),
                    "the checkpoint stays where it is; " + still.get().message());
        }
        Duration allowed = HeartbeatInterval.of(spec).multipliedBy(INTERVALS_MAX);
        Optional<Instant> moved = row.movedAt();
        if (moved.isEmpty()) {
            return Verdict.unknown(Reason.NOT_MEASURED, "the checkpoint was not seen to move yet");
        }
        return Duration.between(moved.get(), seen.now()).compareTo(allowed) <= 0
                ? Verdict.yes(Reason.REPLICATING, "the checkpoint moves")
                : Verdict.no(
                        Reason.NOT_PROGRESSING,
                        "the checkpoint has stood still for more than " + INTERVALS_MAX + " heartbeat intervals; "
                                + waitsFor());
    }

    private String waitsFor() {
        return seen.page() instanceof PageSeen.Page page && page.blocking().isPresent()
                ? "pod " + page.pod() + " waits: " + page.blocking().get().text()
                : held().isTrue()
                        ? "the /status of the pod that holds the lock says what it waits for"
                        : "LockHeld says why";
    }

    private Verdict accepted() {
        Optional<StateSeen.StreamSeen> failed = streams.failed();
        if (failed.isPresent()) {
            return Verdict.no(
                    Reason.STREAM_FAILED,
                    "bringing in " + failed.get().key() + " has failed: "
                            + failed.get().message());
        }
        if (streams.firstKept().isPresent()) {
            return kept(streams.firstKept().get());
        }
        if (!streams.added().isEmpty()) {
            String flawed = streams.flaws().entrySet().stream()
                    .findFirst()
                    .map(one -> ". Of " + one.getKey() + ": " + one.getValue())
                    .orElse("");
            return Verdict.no(
                    Reason.MIGRATION_REQUIRED,
                    (streams.added().size() == 1
                                    ? "the stream " + streams.added().get(0)
                                            + " is no member yet: rows that its table had before are not in the destination."
                                            + " Suspend, bring it in by hand as docs/runbooks/conditions.md says under"
                                            + " MigrationRequired, and resume; or take it out of spec.streams"
                                    : streams.added().size() + " streams are no members yet, "
                                            + streams.added().get(0)
                                            + " among them: rows that their tables had before are not in the destination."
                                            + " Suspend, bring them in by hand as docs/runbooks/conditions.md says under"
                                            + " MigrationRequired, and resume; or take them out of spec.streams")
                            + flawed
                            + (held().isTrue() && progressing().isTrue() ? ". The others go on" : ""));
        }
        if (!streams.removed().isEmpty()) {
            return Verdict.no(
                    Reason.REMOVING,
                    streams.removed().size() == 1
                            ? "the stream " + streams.removed().get(0) + " is being taken out"
                            : streams.removed().size() + " streams are being taken out, "
                                    + streams.removed().get(0) + " among them");
        }
        return seen.state() instanceof StateSeen.Row || seen.state() instanceof StateSeen.Absent
                ? Verdict.yes(Reason.ACCEPTED, "every stream is a member, or will be with the first checkpoint")
                : unread("which streams are members stands");
    }

    /** The edit is refused, what it is about goes on, and how it is meant must be said. */
    private Verdict kept(Streams.Kept one) {
        int others = streams.kept().size() - 1;
        String more = others == 0 ? "" : "; the same holds for " + others + " more, see status.streams";
        if (!one.key().isIn(spec.source())) {
            return Verdict.no(
                    Reason.STREAM_CHANGED,
                    asked(
                            one,
                            "spec.source names another database than that of the stream " + one.key()
                                    + ", which the checkpoint stands for and which is kept as it was" + more
                                    + ". If it is a mistake, write the former database again.",
                            ""));
        }
        if (one.edit() instanceof Edit.Changed changed) {
            String edit = "spec.streams[" + changed.index() + "]." + changed.field() + " was changed from "
                    + changed.before() + " to " + changed.now();
            if (one.confirmed()) {
                return Verdict.no(
                        Reason.STREAM_CHANGED,
                        edit + ", which is confirmed, and waits for the new one: " + one.flaw() + ". The stream "
                                + one.key() + " is kept as it was until then" + more
                                + ". If it is a mistake, take the annotation away and write " + changed.before()
                                + " again");
            }
            return Verdict.no(
                    Reason.STREAM_CHANGED,
                    asked(
                            one,
                            edit + ". The checkpoint stands for the stream " + one.key() + ", which is kept as it was"
                                    + more + "."
                                    + (one.flaw().isEmpty() ? "" : " Of the new one: " + one.flaw() + ".")
                                    + " If it is a mistake, write " + changed.before() + " again.",
                            " If it is meant, the new one has to be brought in anew when the old one is out."));
        }
        return Verdict.no(
                Reason.REMOVAL_NOT_CONFIRMED,
                asked(
                        one,
                        "the resource names the stream " + one.key() + " no more, and it is kept as it was" + more
                                + ". If it is a mistake, put it back into spec.streams.",
                        ""));
    }

    /**
     * Asks for a confirmation, by the command that confirms. That stands at the end and is never cut, so that it can be pasted: it names
     * as many of those that are kept as fit.
     *
     * @param first that is named
     * @param edit what there is to be confirmed
     * @param then what follows from it; may be empty
     */
    private String asked(Streams.Kept first, String edit, String then) {
        String name = seen.resource().getMetadata().getName();
        String spent = Confirmation.of(seen.resource()).isPresent()
                        && Confirmation.open(seen).isEmpty()
                ? " The annotation that is set counts no more, so first take it away (kubectl annotate replication "
                        + name + " " + Commands.REMOVE_STREAMS + "-)."
                : "";
        String command = " To confirm that it is taken out, which cannot be undone: kubectl annotate replication "
                + name + " --overwrite '" + Commands.REMOVE_STREAMS + "=";
        int left = Texts.NOTE_BYTES_MAX - Texts.bytes(edit + then + spent + MORE + command + "'");
        List<String> named = new ArrayList<>();
        for (String entry : Stream.concat(Stream.of(first), streams.kept().stream())
                .map(kept -> kept.key().written(spec.source()))
                .distinct()
                .toList()) {
            left -= Texts.bytes(entry + ",");
            if (left < 0) {
                break;
            }
            named.add(entry);
        }
        if (named.isEmpty()) {
            return edit + then + " To confirm that it is taken out, which cannot be undone, set the annotation "
                    + Commands.REMOVE_STREAMS + " to its TOPIC:CONSUMER";
        }
        return edit + then + spent + (named.size() < streams.kept().size() ? MORE : "") + command
                + String.join(",", named) + "'";
    }

    private Verdict suspended() {
        if (Rollout.podsOf(spec) > 0) {
            return Verdict.no(Reason.NOT_SUSPENDED, "no pause is asked for");
        }
        boolean asked = Boolean.TRUE.equals(spec.suspend());
        Reason reason = asked ? Reason.SUSPENDED : Reason.SCALED_TO_ZERO;
        int pods = seen.pods().size();
        if (pods > 0) {
            return Verdict.no(
                    reason, (pods == 1 ? "1 pod is" : pods + " pods are") + " stopping at a transaction's border");
        }
        return Verdict.yes(
                reason,
                "all pods have stopped; "
                        + (asked ? "set spec.suspend to false" : "spec.replicas is 0: set it to 2, or leave it out,")
                        + " to go on");
    }
}
