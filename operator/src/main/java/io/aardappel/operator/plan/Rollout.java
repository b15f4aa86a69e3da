package io.aardappel.operator.plan;

import io.aardappel.crds.api.ReplicationSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the pods come to be as the resource says.
 *
 * @param actions in their order
 * @param configured what the condition Configured is to say
 */
record Rollout(List<Action> actions, Verdict configured) {
    /** The same before and after the first object is there: a pass that has not seen its predecessor's status tells it again. */
    private static final String ROLLING = "pods are being made or replaced, standbys first";

    /** Pods when the resource names no number. */
    private static final int PODS_DEFAULT = 2;

    /** Of a resource that stays. */
    static Rollout of(Observed seen, Streams streams) {
        return new Course(seen, streams).rollout();
    }

    /** Pods that the resource asks for: none while it is suspended. */
    static int podsOf(ReplicationSpec spec) {
        if (Boolean.TRUE.equals(spec.suspend())) {
            return 0;
        }
        return spec.replicas() == null ? PODS_DEFAULT : spec.replicas();
    }

    private static final class Course {
        private final Observed seen;
        private final Streams streams;
        private final ReplicationSpec spec;
        private final Optional<Observed.Workload> workload;
        private final int pods;

        Course(Observed seen, Streams streams) {
            this.seen = seen;
            this.streams = streams;
            this.spec = seen.resource().getSpec();
            this.workload = seen.workload();
            this.pods = isFatal() ? 0 : podsOf(spec);
        }

        /** Pods that end at once would only be started again and again. */
        private boolean isFatal() {
            return seen.state() instanceof StateSeen.Row row && row.fatal();
        }

        Rollout rollout() {
            Optional<Observed.Obstacle> obstacle = seen.obstacle().or(this::noStreams);
            if (obstacle.isPresent()) {
                Observed.Obstacle one = obstacle.get();
                int left = one.reason() == Reason.CONFLICT ? 0 : pods;
                return only(lowerTo(left), Verdict.no(one.reason(), one.message()));
            }
            if (seen.state() instanceof StateSeen.NotAsked && workload.isEmpty()) {
                return only(
                        List.of(),
                        hindrance()
                                .orElse(Verdict.unknown(
                                        Reason.NOT_READ, "the state table is being asked for the first time")));
            }
            String hash = Together.hash(spec, streams.accepted());
            boolean agrees =
                    workload.map(one -> one.togetherHash().equals(hash)).orElse(true);
            if (!agrees && !(seen.state() instanceof StateSeen.Row) && !(seen.state() instanceof StateSeen.Absent)) {
                return only(
                        lowerTo(pods),
                        Verdict.unknown(
                                Reason.NOT_READ,
                                "the change waits until the state table can be read: which streams are members stands there"));
            }
            if (!streams.removed().isEmpty()) {
                return remove();
            }
            Optional<Streams.Kept> unknown =
                    streams.kept().stream().filter(one -> one.as().isEmpty()).findFirst();
            if (unknown.isPresent()) {
                return only(
                        lowerTo(pods),
                        Verdict.no(
                                Reason.REMOVAL_NOT_CONFIRMED,
                                "a member must run on and it is not known to which table: "
                                        + unknown.get().key() + "; put it back into spec.streams"));
            }
            Optional<Streams.Kept> elsewhere = streams.kept().stream()
                    .filter(one -> !one.key().isIn(spec.source()))
                    .findFirst();
            if (elsewhere.isPresent()) {
                return only(
                        lowerTo(pods),
                        Verdict.no(
                                Reason.STREAM_CHANGED,
                                "what runs is left as it is: spec.source names another database than that of the member "
                                        + elsewhere.get().key()));
            }
            if (!agrees && isRunning()) {
                return only(
                        lowerTo(0),
                        Verdict.no(
                                Reason.STOPPING_FOR_CHANGE,
                                "all pods stop before the first one starts with the change: "
                                        + seen.pods().size() + " left"));
            }
            return only(List.of(new Action.Apply(streams.accepted(), pods, hash)), configured(agrees));
        }

        /** What kept this very resource from taking effect when an operator last tried; nobody has tried since. */
        private Optional<Verdict> hindrance() {
            return StatusText.previous(seen.resource().getStatus(), ConditionType.CONFIGURED)
                    .filter(one -> Objects.equals(
                            one.getObservedGeneration(),
                            seen.resource().getMetadata().getGeneration()))
                    .flatMap(one -> Stream.of(Reason.REFUSED_BY_API_SERVER, Reason.RECONCILIATION_FAILED)
                            .filter(reason -> reason.word().equals(one.getReason()))
                            .findFirst()
                            .map(reason -> Verdict.no(reason, one.getMessage())));
        }

        private Optional<Observed.Obstacle> noStreams() {
            return streams.accepted().isEmpty()
                    ? Optional.of(new Observed.Obstacle(
                            Reason.NO_STREAMS,
                            "none of the streams is a member of the instance: keep one that is, and bring the others in as"
                                    + " StreamsAccepted says"))
                    : Optional.empty();
        }

        /** A process must not run without a stream that is a member, nor may members change under one that runs. */
        private Rollout remove() {
            Verdict verdict = Verdict.no(
                    Reason.REMOVING,
                    (streams.removed().size() == 1
                                    ? "the stream " + streams.removed().get(0) + " is taken out of the instance"
                                    : streams.removed().size() + " streams are taken out of the instance, "
                                            + streams.removed().get(0) + " among them")
                            + "; all pods stop for that");
            boolean foreign = seen.state() instanceof StateSeen.Row row
                    && Holder.of(row, seen.pods(), seen.podPrefix()) instanceof Holder.Foreign;
            if (isRunning() || foreign) {
                return only(lowerTo(0), verdict);
            }
            return only(List.of(new Action.RemoveMembers(streams.removed())), verdict);
        }

        private boolean isRunning() {
            return !seen.pods().isEmpty() || workload.map(one -> one.pods() > 0).orElse(false);
        }

        /** Never more than there are: the template may be one that must not run any more. */
        private List<Action> lowerTo(int count) {
            boolean more = workload.map(one -> one.pods() > count).orElse(false);
            return more ? List.of(new Action.Scale(count)) : List.of();
        }

        private Verdict configured(boolean agrees) {
            if (workload.isEmpty() || !agrees) {
                return Verdict.no(Reason.ROLLING_OUT, ROLLING);
            }
            Observed.Workload one = workload.get();
            if (one.refusal().isPresent()) {
                return Verdict.no(Reason.REFUSED_BY_API_SERVER, one.refusal().get());
            }
            boolean settled = one.settled() && one.pods() == pods;
            List<Observed.PodSeen> imageless =
                    seen.pods().stream().filter(Observed.PodSeen::imageless).toList();
            if (!imageless.isEmpty()
                    && (!settled || imageless.size() == seen.pods().size())) {
                return Verdict.no(
                        Reason.IMAGE_NOT_PULLED,
                        "pod " + imageless.get(0).name() + " has no image: "
                                + imageless.get(0).trouble().orElse("it cannot be pulled")
                                + ". Correct spec.image (" + one.image()
                                + "), make it available, or name the registry's Secret in"
                                + " spec.template.pod.imagePullSecrets");
            }
            if (settled) {
                return Verdict.yes(Reason.APPLIED, "what the resource asks for is in force");
            }
            Optional<Observed.PodSeen> ending =
                    seen.pods().stream().filter(Observed.PodSeen::keepsEnding).findFirst();
            if (ending.isPresent()) {
                return Verdict.no(Reason.CRASH_LOOP, "the roll-out stands still: " + Judgement.lastWords(ending.get()));
            }
            return Verdict.no(
                    Reason.ROLLING_OUT,
                    ROLLING
                            + seen.pods().stream()
                                    .filter(pod -> pod.trouble().isPresent())
                                    .findFirst()
                                    .map(pod -> "; pod " + pod.name() + ": "
                                            + pod.trouble().orElseThrow())
                                    .orElse(""));
        }

        private Rollout only(List<Action> actions, Verdict configured) {
            List<Action> all = new ArrayList<>(actions);
            if (seen.state() instanceof StateSeen.Row row
                    && Holder.of(row, seen.pods(), seen.podPrefix()) instanceof Holder.Ours ours
                    && !ours.pod().marked()) {
                all.add(new Action.MarkActive(ours.pod().name()));
            }
            if (!seen.secretsHash().isEmpty()
                    && seen.pods().stream().anyMatch(pod -> !pod.secretsHash().equals(seen.secretsHash()))) {
                all.add(new Action.NoteSecrets(seen.secretsHash()));
            }
            return new Rollout(all, configured);
        }
    }
}
