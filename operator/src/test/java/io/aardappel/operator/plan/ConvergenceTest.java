package io.aardappel.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.contract.Membership;
import io.aardappel.contract.Stage;
import io.aardappel.crds.api.Stream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A cluster and a state table in miniature, in which plans are carried out while people change the resource, pods die and the
 * database goes and comes.
 */
@DisplayName("Plans that are carried out")
class ConvergenceTest {
    private static final int SEEDS = 300;
    private static final int STEPS = 120;
    private static final int QUIET_STEPS = 40;
    private static final List<String> TOPICS = List.of("a/feed", "b/feed", "c/feed");

    static LongStream seeds() {
        return LongStream.range(1, SEEDS + 1);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @DisplayName("never run two versions at a time, nor without a member, and come to rest where the resource says")
    void keepTheirPromises(long seed) {
        World world = new World(seed);
        for (int step = 0; step < STEPS; step++) {
            world.disturb();
            world.carryOut();
            world.live();
        }
        world.calm();
        for (int step = 0; step < QUIET_STEPS; step++) {
            world.carryOut();
            world.live();
        }
        world.expectRest();
    }

    /** What a pod runs. */
    private record Template(String hash, List<Stream> streams, String level) {
        Set<String> topics() {
            return streams.stream().map(Stream::sourceTopic).collect(Collectors.toSet());
        }
    }

    private record Pod(String name, Template template) {}

    private static final class World {
        private final Random random;
        private final Sight sight = Sight.fresh();
        private final List<String> history = new ArrayList<>();
        private final List<Pod> pods = new ArrayList<>();
        private final Set<String> members = new LinkedHashSet<>();
        private Template template;
        private int wanted;
        private int made;
        private boolean reachable = true;
        private boolean fatal;
        private Set<String> confirmed = Set.of();
        private boolean begun;
        private String holder = "";
        private Plan last;

        World(long seed) {
            random = new Random(seed);
            spec(Set.of("a/feed", "b/feed"), "Info", "10s", false, 2);
        }

        private Set<String> topics = Set.of();
        private String level = "Info";
        private String heartbeat = "10s";
        private boolean suspend;
        private int replicas = 2;

        private void spec(Set<String> topics, String level, String heartbeat, boolean suspend, int replicas) {
            this.topics = topics;
            this.level = level;
            this.heartbeat = heartbeat;
            this.suspend = suspend;
            this.replicas = replicas;
            StringBuilder streams = new StringBuilder("streams:\n");
            TOPICS.stream()
                    .filter(topics::contains)
                    .forEach(topic -> streams.append(
                            "- {sourceTopic: %s, consumer: copy, destinationTable: x}\n".formatted(topic)));
            sight.spec(streams + "logLevel: " + level + "\nheartbeat: {maxExpectedInterval: " + heartbeat
                    + "}\nsuspend: " + suspend + "\nreplicas: " + replicas + "\n");
            history.add("spec " + topics + " " + level + " " + heartbeat + " suspend=" + suspend + " " + replicas);
        }

        void disturb() {
            switch (random.nextInt(30)) {
                case 0 -> spec(someTopics(), level, heartbeat, suspend, replicas);
                case 1 -> spec(topics, random.nextBoolean() ? "Info" : "Debug", heartbeat, suspend, replicas);
                case 2 -> spec(topics, level, random.nextBoolean() ? "5s" : "10s", suspend, replicas);
                case 3 -> spec(topics, level, heartbeat, random.nextBoolean(), replicas);
                case 4 -> spec(topics, level, heartbeat, suspend, 1 + random.nextInt(3));
                case 5, 6 -> reachable = !reachable;
                case 7 -> kill();
                case 8 -> fatal = begun && !pods.isEmpty();
                case 9, 10 -> confirm(someTopics());
                case 11 -> sight.annotated(Commands.RESUME, "r" + history.size());
                default -> {}
            }
        }

        private void confirm(Set<String> topics) {
            confirmed = topics;
            history.add("confirm " + topics);
            sight.annotated(
                    Commands.REMOVE_STREAMS,
                    topics.stream()
                            .map(topic -> topic + ":copy")
                            .collect(Collectors.joining(",", "", " ".repeat(history.size()))));
        }

        private Set<String> someTopics() {
            Set<String> some = new HashSet<>();
            while (some.isEmpty()) {
                TOPICS.stream().filter(topic -> random.nextBoolean()).forEach(some::add);
            }
            return some;
        }

        private void kill() {
            if (!pods.isEmpty()) {
                history.add("kill " + pods.remove(random.nextInt(pods.size())).name());
            }
        }

        void carryOut() {
            look();
            last = sight.plan();
            last.actions().forEach(this::perform);
            sight.status(last.status());
        }

        private void look() {
            List<Observed.PodSeen> seen = pods.stream()
                    .map(pod -> Sight.pod(pod.name(), true, pod.name().equals(holder)))
                    .toList();
            sight.pods(seen.toArray(new Observed.PodSeen[0]));
            if (template == null) {
                sight.noWorkload();
            } else {
                boolean settled = pods.size() == wanted
                        && pods.stream().allMatch(pod -> pod.template().equals(template));
                sight.workload(Sight.running(Sight.workload(wanted, template.hash(), settled), template.streams()));
            }
            sight.state(state());
        }

        private StateSeen state() {
            if (!reachable) {
                return new StateSeen.Unreachable("away");
            }
            if (!begun) {
                return new StateSeen.Absent();
            }
            List<StateSeen.StreamSeen> rows = members.stream()
                    .map(topic -> Sight.stream(topic, Membership.MEMBER, "/Root/copy/x"))
                    .toList();
            return Sight.row(holder, Stage.RUN, fatal, Optional.of(Sight.NOW.minusSeconds(1)), rows);
        }

        private void perform(Action action) {
            history.add(
                    action instanceof Action.Apply apply
                            ? "apply " + apply.pods() + " " + apply.togetherHash()
                            : action.toString());
            if (action instanceof Action.Apply one) {
                template = new Template(one.togetherHash(), one.streams(), level);
                wanted = one.pods();
            } else if (action instanceof Action.Scale scale) {
                wanted = scale.pods();
            } else if (action instanceof Action.RemoveMembers remove) {
                assertThat(pods)
                        .as("pods while members are taken out\n%s", story())
                        .isEmpty();
                for (StreamKey key : remove.streams()) {
                    String topic = key.topic().substring("/Root/shop/".length());
                    assertThat(confirmed)
                            .as("confirmed before %s is taken out\n%s", topic, story())
                            .contains(topic);
                    members.remove(topic);
                }
            } else if (action instanceof Action.ClearFatal) {
                fatal = false;
            }
        }

        /** What Kubernetes and the pods do meanwhile: one pod goes or comes at a time. */
        void live() {
            if (pods.size() > wanted) {
                pods.remove(pods.size() - 1);
            } else if (template != null && pods.size() == wanted && random.nextInt(3) > 0) {
                pods.stream()
                        .filter(pod -> !pod.template().equals(template))
                        .findFirst()
                        .ifPresent(pods::remove);
            }
            if (pods.size() < wanted && random.nextInt(3) > 0) {
                pods.add(new Pod(Sight.PREFIX + "6f-" + made++, template));
            }
            check();
            holder = pods.isEmpty() ? "" : pods.get(0).name();
            if (!pods.isEmpty() && reachable && !begun) {
                begun = true;
                members.addAll(pods.get(0).template().topics());
            }
        }

        private void check() {
            assertThat(pods.stream().map(pod -> pod.template().hash()).distinct())
                    .as("versions at a time\n%s", story())
                    .hasSizeLessThanOrEqualTo(1);
            if (begun) {
                assertThat(pods)
                        .as("pods whose configuration lacks a member of %s\n%s", members, story())
                        .allMatch(pod -> pod.template().topics().containsAll(members));
                assertThat(pods)
                        .as("pods that run what is no member of %s\n%s", members, story())
                        .allMatch(pod -> members.containsAll(pod.template().topics()));
            }
            String reconciling = condition(ConditionType.RECONCILING);
            assertThat(Map.of("reconciling", reconciling, "stalled", condition(ConditionType.STALLED)))
                    .as(story())
                    .isNotEqualTo(Map.of("reconciling", "True", "stalled", "True"));
        }

        private String condition(ConditionType type) {
            return StatusText.previous(last.status(), type).orElseThrow().getStatus();
        }

        void calm() {
            reachable = true;
            fatal = false;
            Set<String> known = new HashSet<>(members);
            known.retainAll(topics);
            confirm(Set.copyOf(TOPICS));
            spec(begun && !known.isEmpty() ? known : begun ? Set.copyOf(members) : topics, level, heartbeat, false, 2);
        }

        void expectRest() {
            look();
            Plan plan = sight.plan();
            assertThat(condition(ConditionType.READY)).as(story()).isEqualTo("True");
            assertThat(pods).as(story()).hasSize(2);
            assertThat(members).as(story()).isEqualTo(topics);
            assertThat(pods.get(0).template().topics()).as(story()).isEqualTo(topics);
            assertThat(plan.status()).as("at rest\n%s", story()).isEqualTo(sight.resource.getStatus());
            assertThat(plan.actions()).as(story()).hasOnlyElementsOfType(Action.Apply.class);
        }

        private String story() {
            return String.join("\n", history.subList(Math.max(0, history.size() - 60), history.size()));
        }
    }
}
