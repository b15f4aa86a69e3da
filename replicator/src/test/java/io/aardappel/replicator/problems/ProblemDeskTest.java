package io.aardappel.replicator.problems;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.engine.DecisionEvent.Decided;
import io.aardappel.replicator.engine.Decisions.Question;
import io.aardappel.replicator.engine.Decisions.Verdict;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.problems.StreamPolicy.Strategy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The desk for problems")
class ProblemDeskTest {
    private static final Question LATE = Asked.late(7, "a<b", 5, new Position(12, 1));
    private static final String APPLY =
            "{\"aardapel_instance_id\":\"inst\",\"path\":\"goods/feed\",\"key\":[\"a<b\",5],"
                    + "\"ts\":[12,1],\"action\":\"apply\"}";
    private static final String SKIP = APPLY.replace("apply", "skip");

    private final LinkedBlockingQueue<Event> inbox = new LinkedBlockingQueue<>();
    private final List<String> letters = new ArrayList<>();
    private final Deque<String> failures = new ArrayDeque<>();
    private final List<AutoCloseable> closing = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : closing) {
            one.close();
        }
    }

    private ProblemDesk desk(Strategy strategy, Duration patience, String... commands) {
        CommandQueue queue = new CommandQueue() {
            @Override
            public List<byte[]> read() {
                return Arrays.stream(commands)
                        .map(command -> command.getBytes(StandardCharsets.UTF_8))
                        .toList();
            }

            @Override
            public void close() {
                inbox.clear();
            }
        };
        DeadLetters deadLetters = new DeadLetters() {
            @Override
            public Optional<String> write(List<byte[]> messages) {
                if (!failures.isEmpty()) {
                    return Optional.of(failures.remove());
                }
                messages.forEach(message -> letters.add(new String(message, StandardCharsets.UTF_8)));
                return Optional.empty();
            }

            @Override
            public void close() {
                letters.clear();
            }
        };
        ProblemDesk desk = new ProblemDesk(
                new ProblemDesk.Settings(
                        "inst",
                        List.of(Asked.policy(strategy)),
                        DeadLetterFormat.TEXT,
                        patience,
                        patience,
                        Duration.ofMillis(1)),
                Optional.of(queue),
                Optional.of(deadLetters),
                Asked.SHAPES,
                inbox::add);
        closing.add(desk);
        return desk;
    }

    private Decided asked(ProblemDesk desk, Question question) throws InterruptedException {
        desk.ask(question);
        Event answer = inbox.poll(60, TimeUnit.SECONDS);
        assertThat(answer).isInstanceOf(Decided.class);
        return (Decided) answer;
    }

    private static Decided answer(Verdict verdict, DecidedBy by) {
        return new Decided(LATE.partition(), LATE.offset(), verdict, by);
    }

    @Nested
    @DisplayName("when a command speaks of the record")
    class Ordered {
        @Test
        void applies() throws InterruptedException {
            assertThat(asked(desk(Strategy.STOP, Duration.ofMinutes(1), APPLY), LATE))
                    .isEqualTo(answer(Verdict.APPLY, DecidedBy.COMMAND));
        }

        @Test
        @DisplayName("skips without a dead letter, as the Go program does")
        void skips() throws InterruptedException {
            assertThat(asked(desk(Strategy.STOP, Duration.ofMinutes(1), SKIP), LATE))
                    .isEqualTo(answer(Verdict.SKIP, DecidedBy.COMMAND));
            assertThat(letters).isEmpty();
        }

        @Test
        @DisplayName("follows the last of several")
        void followsTheLast() throws InterruptedException {
            assertThat(asked(desk(Strategy.STOP, Duration.ofMinutes(1), SKIP, APPLY, "no command"), LATE)
                            .verdict())
                    .isEqualTo(Verdict.APPLY);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "[ \"a<b\" , 5 ]",
                    "[\"a\\u003cb\",5]",
                    "[\"\\u0061<b\",5]",
                })
        @DisplayName("minds neither blanks nor escapes in its key")
        void mindsNoSpelling(String key) throws InterruptedException {
            String command = APPLY.replace("[\"a<b\",5]", key);

            assertThat(asked(desk(Strategy.STOP, Duration.ofMinutes(1), command), LATE)
                            .verdict())
                    .isEqualTo(Verdict.APPLY);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"aardapel_instance_id\":\"other\",\"path\":\"goods/feed\",\"key\":[\"a<b\",5],\"ts\":[12,1],\"action\":\"apply\"}",
                "{\"aardapel_instance_id\":\"inst\",\"path\":\"/local/goods/feed\",\"key\":[\"a<b\",5],\"ts\":[12,1],\"action\":\"apply\"}",
                "{\"aardapel_instance_id\":\"inst\",\"path\":\"goods/feed\",\"key\":[\"a<b\",5.0],\"ts\":[12,1],\"action\":\"apply\"}",
                "{\"aardapel_instance_id\":\"inst\",\"path\":\"goods/feed\",\"key\":[\"a<b\"],\"ts\":[12,1],\"action\":\"apply\"}",
                "{\"aardapel_instance_id\":\"inst\",\"path\":\"goods/feed\",\"key\":[\"a<b\",5],\"ts\":[12,2],\"action\":\"apply\"}",
                "{\"aardapel_instance_id\":\"inst\",\"path\":\"goods/feed\",\"key\":[\"a<b\",5],\"ts\":[12,1,0],\"action\":\"apply\"}",
                "{\"aardapel_instance_id\":\"inst\",\"path\":\"goods/feed\",\"key\":[\"a<b\",5],\"ts\":[12,-1],\"action\":\"apply\"}",
                "{\"aardapel_instance_id\":\"inst\",\"path\":\"goods/feed\",\"key\":[\"a<b\",5],\"ts\":[12,1],\"action\":\"Apply\"}",
                "{\"aardapel_instance_id\":",
                ""
            })
    @DisplayName("takes no other message for a command about it")
    void takesNoOther(String message) throws InterruptedException {
        assertThat(asked(desk(Strategy.STOP, Duration.ofMinutes(1), message), LATE))
                .isEqualTo(answer(Verdict.STOP, DecidedBy.STRATEGY));
    }

    @Nested
    @DisplayName("when none does")
    class Unordered {
        @Test
        @DisplayName("leaves it out by strategy continue, once it is among the dead letters")
        void leavesItOutB16() throws InterruptedException {
            failures.add("no acknowledgement");
            failures.add("no acknowledgement");

            assertThat(asked(desk(Strategy.CONTINUE, Duration.ofMinutes(1)), LATE))
                    .isEqualTo(answer(Verdict.SKIP, DecidedBy.STRATEGY));
            assertThat(letters).singleElement().asString().startsWith("Unexpected timestamp in stream");
        }

        @Test
        @DisplayName("stops by strategy stop, with a dead letter")
        void stopsB16() throws InterruptedException {
            assertThat(asked(desk(Strategy.STOP, Duration.ofMinutes(1)), LATE).verdict())
                    .isEqualTo(Verdict.STOP);
            assertThat(letters).hasSize(1);
        }

        @Test
        @DisplayName("stops when the dead letter cannot be written in time: nothing is left out that is kept nowhere")
        void stopsWithoutADeadLetter() throws InterruptedException {
            failures.add("no acknowledgement");

            assertThat(asked(desk(Strategy.CONTINUE, Duration.ofNanos(1)), LATE).verdict())
                    .isEqualTo(Verdict.STOP);
            assertThat(letters).isEmpty();
        }

        @Test
        @DisplayName("treats a record that does not fit alike")
        void treatsUnfitAlike() throws InterruptedException {
            Question unfit = Asked.unfit(9, "[\"x\"]", new Position(5, 5));

            assertThat(asked(desk(Strategy.CONTINUE, Duration.ofMinutes(1)), unfit)
                            .verdict())
                    .isEqualTo(Verdict.SKIP);
        }
    }

    @Nested
    @DisplayName("when several records share one fate")
    class Together {
        private final Question all = Asked.oversized(new Position(12, 1), "a<b", "tea", "salt");

        @Test
        @DisplayName("follows a command about any of them")
        void followsACommandAboutAny() throws InterruptedException {
            String aboutTheLast = SKIP.replace("[\"a<b\",5]", "[\"salt\",2]");

            assertThat(asked(desk(Strategy.STOP, Duration.ofMinutes(1), aboutTheLast), all))
                    .isEqualTo(new Decided(all.partition(), all.offset(), Verdict.SKIP, DecidedBy.COMMAND));
        }

        @Test
        @DisplayName("leaves them out by strategy continue, once each is among the dead letters")
        void leavesThemOut() throws InterruptedException {
            failures.add("no acknowledgement");

            assertThat(asked(desk(Strategy.CONTINUE, Duration.ofMinutes(1)), all)
                            .verdict())
                    .isEqualTo(Verdict.SKIP);
            assertThat(letters)
                    .satisfiesExactly(
                            one -> assertThat(one).contains("\"key\":[\"a\\u003cb\",0]"),
                            two -> assertThat(two).contains("\"key\":[\"tea\",1]"),
                            three -> assertThat(three).contains("\"key\":[\"salt\",2]"));
        }

        @Test
        @DisplayName("writes more dead letters than are on their way together")
        void writesMany() throws InterruptedException {
            String[] names = IntStream.range(0, 600).mapToObj(i -> "n" + i).toArray(String[]::new);

            asked(desk(Strategy.CONTINUE, Duration.ofMinutes(1)), Asked.oversized(new Position(12, 1), names));

            assertThat(letters).hasSize(600).doesNotHaveDuplicates();
        }
    }
}
