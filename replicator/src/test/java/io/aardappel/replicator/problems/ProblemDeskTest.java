package io.aardappel.replicator.problems;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.aardappel.replicator.codec.ChangeDecoder;
import io.aardappel.replicator.codec.FeedImages;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord.Change;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

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

        @Test
        @DisplayName("takes the absolute path too, as the problem's text and the log name the stream")
        void takesTheAbsolutePath() throws InterruptedException {
            String command = APPLY.replace("goods/feed", "/local/goods/feed");

            assertThat(asked(desk(Strategy.STOP, Duration.ofMinutes(1), command), LATE)
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
                "{\"aardapel_instance_id\":\"inst\",\"path\":\"/other/goods/feed\",\"key\":[\"a<b\",5],\"ts\":[12,1],\"action\":\"apply\"}",
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
    @DisplayName("when a message is nearly about the record, tells once what is different")
    class NearlyOrdered {
        private List<String> told(String... messages) throws InterruptedException {
            Logger log = (Logger) LoggerFactory.getLogger(ProblemDesk.class);
            ListAppender<ILoggingEvent> lines = new ListAppender<>();
            lines.start();
            Level before = log.getLevel();
            log.setLevel(Level.WARN);
            log.addAppender(lines);
            try {
                ProblemDesk desk = desk(Strategy.STOP, Duration.ofMinutes(1), messages);
                assertThat(asked(desk, LATE).by()).isEqualTo(DecidedBy.STRATEGY);
                assertThat(asked(desk, LATE).by()).isEqualTo(DecidedBy.STRATEGY);
            } finally {
                log.detachAppender(lines);
                log.setLevel(before);
            }
            return lines.list.stream()
                    .map(line -> line.getKeyValuePairs().get(0).value.toString())
                    .toList();
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '^',
                value = {
                    "\"inst\"           | \"other\"         | aardapel_instance_id is \"other\" and must be \"inst\"",
                    "aardapel_           | aardappel_        | aardapel_instance_id is missing and must be \"inst\"",
                    "\"goods/feed\"      | \"goods\"         | path is \"goods\" and must be \"goods/feed\"",
                    "[\"a<b\",5]         | [\"a\",5]         | key is [\"a\",5] and must be [\"a\\u003cb\",5]",
                    "[12,1]              | [12,2]            | ts is [12,2] and must be [12,1]",
                    "[12,1]              | [\"12\",\"1\"]    | ts is [\"12\",\"1\"] and must be [12,1]",
                    "\"apply\"           | \"Apply\"         | action is \"Apply\" and must be \"apply\" or \"skip\"",
                })
        void byName(String right, String wrong, String told) throws InterruptedException {
            assertThat(told(APPLY.replace(right, wrong))).containsExactly(told);
        }

        @Test
        @DisplayName("every member that is")
        void allThatDiffer() throws InterruptedException {
            assertThat(told(APPLY.replace("inst\"", "other\"").replace("[12,1]", "[13,1]")))
                    .containsExactly(
                            "aardapel_instance_id is \"other\" and must be \"inst\"; ts is [13,1] and must be [12,1]");
        }

        @Test
        @DisplayName("and that a message is no command at all")
        void noCommand() throws InterruptedException {
            String unquoted = APPLY.replace("\"a<b\"", "a<b");

            assertThat(told(unquoted)).containsExactly(unquoted);
        }

        @Test
        @DisplayName("but nothing of a command about another record")
        void nothingOfOthers() throws InterruptedException {
            assertThat(told(APPLY.replace("[12,1]", "[13,1]").replace("5]", "6]")))
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("obeys a command that is written with the words of the problem")
    void obeysTheWordsOfTheProblem() throws InterruptedException {
        Change change = (Change) new ChangeDecoder(Asked.SHAPE, FeedImages.WRITTEN_COLUMNS)
                .decode("{\"update\":{\"value\":\"x\"},\"key\":[\"a, b\",18446744073709551615],\"ts\":[12,1]}"
                        .getBytes(StandardCharsets.UTF_8));
        Question question = new Question(
                LATE.partition(),
                3,
                change.position(),
                change.key().toString(),
                Optional.of(change),
                Optional.empty(),
                LATE.barrier(),
                LATE.problem(),
                List.of());
        String command = "{\"aardapel_instance_id\":\"inst\",\"path\":\"/local/goods/feed\",\"key\":" + change.key()
                + ",\"ts\":" + change.position() + ",\"action\":\"skip\"}";

        assertThat(asked(desk(Strategy.STOP, Duration.ofMinutes(1), command), question))
                .isEqualTo(new Decided(question.partition(), 3, Verdict.SKIP, DecidedBy.COMMAND));
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
