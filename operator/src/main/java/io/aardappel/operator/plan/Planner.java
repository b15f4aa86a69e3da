package io.aardappel.operator.plan;

import io.aardappel.crds.api.DeletionPolicy;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.Stream;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides what is done about a Replication. */
public final class Planner {
    /** How long a resource that is deleted waits for the databases before it goes without having removed its rows. */
    static final Duration DELETION_WAIT = Duration.ofMinutes(2);

    private Planner() {}

    /** What is to be done. The same observation gives the same plan. */
    public static Plan plan(Observed everything) {
        Observed seen = everything.isServed() ? everything : everything.withoutInstance();
        Streams streams = Streams.of(seen);
        return seen.resource().getMetadata().getDeletionTimestamp() == null
                ? present(seen, streams)
                : deleted(seen, streams);
    }

    /**
     * The streams of a resource that the databases are to be asked about before it is planned for; a bounded number.
     *
     * @param state as far as it is known
     */
    public static List<Stream> unproven(Replication resource, StateSeen state) {
        return Streams.strangers(resource.getSpec(), state);
    }

    /**
     * What there is to tell of a resource that is gone: it went without having waited for its rows to be removed, though that was its
     * policy, for it was deleted before the operator had seen the policy.
     *
     * @param last as it was when it went
     */
    public static Optional<Action.Tell> gone(Replication last) {
        boolean waited = last.getMetadata().getDeletionTimestamp() != null;
        return removesState(last) && !waited
                ? Optional.of(new Action.Tell(
                        true,
                        Reason.DELETING,
                        "the rows of the instance in " + last.getSpec().stateTable()
                                + " stay: the resource was deleted before the operator had seen its deletionPolicy: Delete."
                                + " Remove them by hand, or make the resource again with that policy and delete it once"
                                + " metadata.finalizers has " + Commands.FINALIZER))
                : Optional.empty();
    }

    private static Plan present(Observed seen, Streams streams) {
        List<Action> actions = new ArrayList<>();
        boolean holds = isHeld(seen.resource());
        boolean wantsHold = removesState(seen.resource());
        if (wantsHold && !holds) {
            actions.add(new Action.Hold());
        } else if (!wantsHold && holds) {
            actions.add(new Action.Release());
        }
        Optional<String> resumed = resume(seen, actions);
        Rollout rollout = Rollout.of(seen, streams);
        actions.addAll(rollout.actions());
        Map<ConditionType, Verdict> verdicts = Judgement.of(seen, streams, rollout.configured());
        failedChange(seen).ifPresent(actions::add);
        misunderstood(seen, verdicts).ifPresent(actions::add);
        transition(seen, verdicts).ifPresent(actions::add);
        return new Plan(actions, StatusText.of(seen, streams, verdicts, resumed));
    }

    private static boolean isHeld(Replication resource) {
        return resource.getMetadata().getFinalizers().contains(Commands.FINALIZER);
    }

    private static boolean removesState(Replication resource) {
        return resource.getSpec().deletionPolicy() == DeletionPolicy.DELETE;
    }

    /**
     * A request waits while the row cannot be read, and is answered once. One that is made while the instance is another's is refused:
     * left open it would be carried out on the other's row once that one is gone.
     */
    private static Optional<String> resume(Observed seen, List<Action> actions) {
        Optional<String> asked = Commands.resume(seen.resource());
        if (asked.isPresent() && !seen.isServed()) {
            actions.add(new Action.Tell(
                    true,
                    Reason.CONFLICT,
                    "resume " + asked.get() + ": nothing was changed, for the resource is not served. Once it is,"
                            + " resume by another value"));
            return asked;
        }
        if (asked.isEmpty() || !isReadable(seen.state()) || hasFailed(seen)) {
            return Optional.empty();
        }
        if (seen.state() instanceof StateSeen.Row row && row.fatal() && isAnotherThanTold(row, seen.resource())) {
            actions.add(new Action.Tell(
                    true,
                    Reason.FATAL,
                    "resume " + asked.get()
                            + ": nothing was changed, because FATAL_ERROR is about another problem than the status"
                            + " said: " + row.lastMessage() + ". Repair that as well, then resume by another value"));
        } else if (seen.state() instanceof StateSeen.Row row && row.fatal()) {
            actions.add(new Action.ClearFatal(asked.get(), row.lastMessage()));
            actions.add(new Action.Tell(
                    false, Reason.FATAL, "resume " + asked.get() + ": FATAL_ERROR is cleared, the pods start again"));
        } else {
            actions.add(new Action.Tell(
                    false, Reason.READ, "resume " + asked.get() + ": there is no FATAL_ERROR, so nothing was changed"));
        }
        return asked;
    }

    /** Whoever asked cannot have known of it. */
    private static boolean isAnotherThanTold(StateSeen.Row row, Replication resource) {
        String told = resource.getStatus() == null ? null : resource.getStatus().lastError();
        String says = Texts.cut(row.lastMessage());
        return told != null && says != null && !told.equals(says);
    }

    /** The plan is told and not carried out. */
    private static boolean hasFailed(Observed seen) {
        return seen.obstacle()
                .filter(one -> one.reason() == Reason.RECONCILIATION_FAILED
                        || one.reason() == Reason.DESTINATION_CHANGE_FAILED)
                .isPresent();
    }

    /** The change that could not be made, told when it first fails: the summary may say something else. */
    private static Optional<Action> failedChange(Observed seen) {
        return seen.obstacle()
                .filter(one -> one.reason() == Reason.DESTINATION_CHANGE_FAILED)
                .filter(one -> !saidBefore(seen, ConditionType.CONFIGURED, one.reason()))
                .map(one -> new Action.Tell(true, one.reason(), one.message()));
    }

    private static boolean saidBefore(Observed seen, ConditionType type, Reason reason) {
        return StatusText.previous(seen.resource().getStatus(), type)
                .filter(one -> one.getReason().equals(reason.word()))
                .isPresent();
    }

    /** Told once for each text: what is written in vain is somebody's wish that nobody heeds. */
    private static Optional<Action> misunderstood(Observed seen, Map<ConditionType, Verdict> verdicts) {
        Verdict verdict = verdicts.get(ConditionType.COMMANDS_UNDERSTOOD);
        if (verdict == null || verdict.isTrue()) {
            return Optional.empty();
        }
        String before = StatusText.previous(seen.resource().getStatus(), ConditionType.COMMANDS_UNDERSTOOD)
                .map(Condition::getMessage)
                .orElse("");
        return before.equals(Texts.cut(verdict.message()))
                ? Optional.empty()
                : Optional.of(new Action.Tell(true, verdict.reason(), verdict.message()));
    }

    private static boolean isReadable(StateSeen state) {
        return state instanceof StateSeen.Row || state instanceof StateSeen.Absent;
    }

    private static Plan deleted(Observed seen, Streams streams) {
        List<Action> actions = new ArrayList<>();
        String message = "the pods stop, then the resource goes";
        if (isHeld(seen.resource())) {
            boolean running = !seen.pods().isEmpty()
                    || seen.workload().map(one -> one.pods() > 0).orElse(false);
            if (seen.workload().map(one -> one.pods() > 0).orElse(false)) {
                actions.add(new Action.Scale(0));
            }
            if (!running) {
                message = removeRows(seen, actions);
            }
        }
        Optional<Observed.Obstacle> failed =
                seen.obstacle().filter(one -> one.reason() == Reason.DESTINATION_CHANGE_FAILED);
        if (failed.isPresent()) {
            message = "waiting, for " + DELETION_WAIT.toMinutes() + " minutes at most: "
                    + failed.get().message();
            actions.add(
                    new Action.Tell(true, failed.get().reason(), failed.get().message()));
        }
        return new Plan(actions, StatusText.of(seen, streams, Judgement.ofDeleted(message), Optional.empty()));
    }

    private static String removeRows(Observed seen, List<Action> actions) {
        boolean foreign = seen.state() instanceof StateSeen.Row row
                && Holder.of(row, seen.pods(), seen.podPrefix()) instanceof Holder.Foreign;
        if (!removesState(seen.resource()) || !seen.isServed()) {
            actions.add(new Action.Release());
            return "the rows of the instance stay";
        }
        if (foreign) {
            actions.add(new Action.Tell(
                    true, Reason.FOREIGN_HOLDER, "the rows of the instance stay: another program holds its lock"));
            actions.add(new Action.Release());
            return "another program goes on with the instance";
        }
        if (isReadable(seen.state())) {
            actions.add(new Action.DeleteState(waited(seen).compareTo(DELETION_WAIT) >= 0));
            actions.add(new Action.Release());
            return "the rows of the instance are removed";
        }
        boolean asked = !(seen.state() instanceof StateSeen.NotAsked);
        if (!asked || waited(seen).compareTo(DELETION_WAIT) < 0) {
            return "waiting for the destination, to remove the rows of the instance; for " + DELETION_WAIT.toMinutes()
                    + " minutes at most";
        }
        actions.add(new Action.Tell(
                true,
                Reason.UNREACHABLE,
                "the rows of the instance stay, for the destination could not be reached: remove them by hand"));
        actions.add(new Action.Release());
        return "the destination could not be reached; the rows stay";
    }

    private static Duration waited(Observed seen) {
        return Duration.between(Instant.parse(seen.resource().getMetadata().getDeletionTimestamp()), seen.now());
    }

    /** The summary has another reason than before. */
    private static Optional<Action> transition(Observed seen, Map<ConditionType, Verdict> verdicts) {
        Verdict ready = verdicts.get(ConditionType.READY);
        Optional<Condition> before = StatusText.previous(seen.resource().getStatus(), ConditionType.READY);
        if (ready == null
                || before.filter(one -> one.getReason().equals(ready.reason().word()))
                        .isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new Action.Tell(isAlarming(ready.reason()), ready.reason(), ready.message()));
    }

    /** A stream that waits for its migration is somebody's wish, and no alarm. */
    private static boolean isAlarming(Reason reason) {
        return switch (reason) {
            case MIGRATION_REQUIRED -> false;
            case NOT_PROGRESSING, COLUMN_MISSING, RECONCILIATION_FAILED, UNREACHABLE, NO_HOLDER, HOLDER_NOT_READY ->
                true;
            default -> reason.needsAPerson();
        };
    }
}
