package io.aardappel.replicator.ydb.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.aardappel.replicator.codec.DestinationShapes;
import io.aardappel.replicator.codec.FeedImages;
import io.aardappel.replicator.codec.KeyFilter;
import io.aardappel.replicator.codec.SourceFeed;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.codec.YdbType;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Barrier;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Filtered;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse.Batch;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse.MessageData;

@DisplayName("The decoder of a partition")
class PartitionDecoderTest {
    private static final SourceFeed FEED = SourceFeed.of(FeedImages.WRITTEN_COLUMNS);
    private static final TableShape NARROW = shape("id");
    private static final TableShape WIDE = shape("id", "added");

    /** A table that has got its new column already, though nobody has looked. */
    private static final class Shapes implements DestinationShapes {
        TableShape known = NARROW;
        TableShape real = WIDE;
        int refreshes;
        boolean away;

        @Override
        public TableShape current(String table) {
            return known;
        }

        @Override
        public boolean refresh(String table) {
            refreshes++;
            if (!away) {
                known = real;
            }
            return !away;
        }
    }

    private final Shapes shapes = new Shapes();
    private final AtomicLong now = new AtomicLong();
    private final SchemaPatience noPatience =
            new SchemaPatience(shapes, Duration.ZERO, Duration.ofSeconds(1), now::get);
    private final PartitionDecoder decoder = decoder(noPatience);

    private static PartitionDecoder decoder(SchemaPatience patience) {
        return new PartitionDecoder("t", FEED, patience, KeyFilter.NONE);
    }

    private static TableShape shape(String... columns) {
        return new TableShape(
                "/local/t",
                List.of(columns).stream()
                        .map(name -> new TableShape.Column(name, YdbType.of(PrimitiveTypeId.UINT64), false, false))
                        .toList(),
                List.of("id"));
    }

    private static Batch batch(long firstOffset, String... messages) {
        Batch.Builder batch = Batch.newBuilder().setCodec(1);
        for (String message : messages) {
            batch.addMessageData(MessageData.newBuilder()
                    .setOffset(firstOffset + batch.getMessageDataCount())
                    .setData(ByteString.copyFromUtf8(message)));
        }
        return batch.build();
    }

    private List<StreamRecord> decode(String... messages) {
        return decoder.decode(List.of(batch(0, messages)), 0).records();
    }

    @Test
    void looksAtTheTableAgainBeforeARecordIsUnfitB44() {
        assertThat(decode("{\"update\":{\"added\":1},\"key\":[1],\"ts\":[1,1]}"))
                .singleElement()
                .isInstanceOf(Change.class);
    }

    @Test
    void leavesARecordUnfitWhenTheTableIsAsItWas() {
        assertThat(decode("{\"update\":{\"none\":1},\"key\":[1],\"ts\":[1,1]}"))
                .singleElement()
                .isInstanceOf(Unfit.class);
    }

    @Nested
    @DisplayName("while a column is waited for that records carry and the table lacks")
    class Waiting {
        private static final String ADDED = "{\"update\":{\"added\":1},\"key\":[1],\"ts\":[1,1]}";
        private static final String OTHER = "{\"erase\":{},\"key\":[2],\"ts\":[1,2]}";

        private final SchemaPatience patience =
                new SchemaPatience(shapes, Duration.ofSeconds(30), Duration.ofSeconds(1), now::get);
        private final PartitionDecoder patient = decoder(patience);

        private PartitionDecoder.Decoded decodeFrom(long offset) {
            return patient.decode(List.of(batch(5, OTHER, ADDED, OTHER)), offset);
        }

        private void pass(Duration time) {
            now.addAndGet(time.toNanos());
            patience.lookWithOthers("t");
        }

        @BeforeEach
        void lackIt() {
            shapes.real = NARROW;
        }

        @Test
        void givesWhatComesBeforeTheRecord() {
            PartitionDecoder.Decoded decoded = decodeFrom(5);

            assertThat(decoded.offsets()).containsExactly(5);
            assertThat(decoded.records()).singleElement().isInstanceOf(Change.class);
        }

        @Test
        void saysWhereItGoesOnAndWhatItNeeds() {
            PartitionDecoder.Decoded decoded = decodeFrom(5);

            assertThat(decoded.next()).isEqualTo(6);
            assertThat(decoded.need())
                    .contains(
                            "the record at offset 6 carries column added, which the destination table /local/t lacks");
        }

        @Test
        void goesOnWithTheRecordOnceTheColumnIsThere() {
            decodeFrom(5);
            shapes.real = WIDE;
            pass(Duration.ofSeconds(1));
            PartitionDecoder.Decoded decoded = decodeFrom(6);

            assertThat(decoded.need()).isEmpty();
            assertThat(decoded.offsets()).containsExactly(6, 7);
            assertThat(decoded.records()).hasOnlyElementsOfType(Change.class);
        }

        @Test
        void theRecordIsUnfitWhenTheTimeIsOver() {
            decodeFrom(5);
            pass(Duration.ofSeconds(30));
            PartitionDecoder.Decoded decoded = decodeFrom(6);

            assertThat(decoded.need()).isEmpty();
            assertThat(decoded.records()).first().isInstanceOf(Unfit.class);
        }

        @Test
        void theTimeIsOneForAllPartitionsAndSessions() {
            decodeFrom(5);
            pass(Duration.ofSeconds(29));
            assertThat(decoder(patience).decode(List.of(batch(0, ADDED)), 0).need())
                    .isPresent();
            pass(Duration.ofSeconds(1));
            assertThat(decoder(patience).decode(List.of(batch(0, ADDED)), 0).records())
                    .singleElement()
                    .isInstanceOf(Unfit.class);
        }

        @Test
        void theTimeIsNotOverBeforeTheDestinationHasSaidSo() {
            decodeFrom(5);
            shapes.away = true;
            pass(Duration.ofSeconds(60));
            assertThat(decodeFrom(6).need()).isPresent();
            shapes.away = false;
            pass(Duration.ofSeconds(1));
            assertThat(decodeFrom(6).need()).isEmpty();
        }

        @Test
        void theTimeBeginsWithTheRecordThoughTheDestinationIsAwayThen() {
            patience.look("t");
            now.addAndGet(Duration.ofHours(1).toNanos());
            shapes.away = true;
            assertThat(decodeFrom(5).need()).isPresent();
            shapes.away = false;
            pass(Duration.ofSeconds(1));
            assertThat(decodeFrom(6).need()).isPresent();
            pass(Duration.ofSeconds(30));
            assertThat(decodeFrom(6).need()).isEmpty();
        }

        @Test
        void onePartitionLooksForAll() {
            decodeFrom(5);
            int before = shapes.refreshes;
            for (int partition = 0; partition < 100; partition++) {
                decoder(patience).decode(List.of(batch(0, ADDED)), 0);
                patience.lookWithOthers("t");
            }
            assertThat(shapes.refreshes).isEqualTo(before);
        }

        @Test
        void aColumnThatWasSeenIsWaitedForAnewWhenItGoes() {
            decodeFrom(5);
            shapes.real = WIDE;
            pass(Duration.ofSeconds(1));
            decodeFrom(6);
            shapes.real = NARROW;
            pass(Duration.ofSeconds(60));

            assertThat(decodeFrom(6).need()).isPresent();
        }

        @ParameterizedTest(name = "seed {0}")
        @ValueSource(longs = {51, 52, 53, 54})
        void losesAndRepeatsNothingHoweverOftenItWaits(long seed) {
            Random random = new Random(seed);
            String[] messages = IntStream.range(0, 400)
                    .mapToObj(i -> random.nextInt(20) == 0 ? ADDED : OTHER)
                    .toArray(String[]::new);
            KeyFilter filter = random.nextBoolean() ? KeyFilter.NONE : message -> false;
            PartitionDecoder waiting = new PartitionDecoder("t", FEED, patience, filter);
            List<Batch> batches =
                    List.of(batch(0, Arrays.copyOf(messages, 150)), batch(150, Arrays.copyOfRange(messages, 150, 400)));
            List<Long> offsets = new ArrayList<>();
            List<StreamRecord> records = new ArrayList<>();
            long next = 0;
            PartitionDecoder.Decoded decoded;
            do {
                decoded = waiting.decode(batches, next);
                Arrays.stream(decoded.offsets()).forEach(offsets::add);
                records.addAll(decoded.records());
                next = decoded.next();
                shapes.real = random.nextInt(3) == 0 ? WIDE : NARROW;
                pass(Duration.ofSeconds(1));
            } while (decoded.need().isPresent());

            assertThat(offsets)
                    .as("seed %d", seed)
                    .containsExactlyElementsOf(LongStream.range(0, 400).boxed().toList());
            assertThat(records).as("seed %d", seed).hasSize(400);
        }

        @Test
        void noRecordIsLookedAtBehindTheOneThatWaits() {
            PartitionDecoder filtering = new PartitionDecoder("t", FEED, patience, message -> false);

            PartitionDecoder.Decoded decoded = filtering.decode(List.of(batch(5, OTHER, ADDED, OTHER, ADDED)), 5);

            assertThat(decoded.offsets()).containsExactly(5);
            assertThat(decoded.next()).isEqualTo(6);
        }
    }

    @Test
    void leavesOutWhatTheFilterDropsWhateverItSays() {
        PartitionDecoder filtering =
                new PartitionDecoder("t", FEED, noPatience, message -> new String(message, UTF_8).contains("[7]"));

        assertThat(filtering
                        .decode(
                                List.of(batch(
                                        0,
                                        "{\"update\":{\"none\":1},\"key\":[7],\"ts\":[3,4]}",
                                        "{\"update\":{},\"key\":[8],\"ts\":[1,1]}")),
                                0)
                        .records())
                .satisfiesExactly(
                        record -> assertThat(record).isEqualTo(new Filtered(new Position(3, 4))),
                        record -> assertThat(record).isInstanceOf(Change.class));
    }

    @Test
    void takesWhatComesBehindByTheTableAsItFoundIt() {
        assertThat(decode(
                        "{\"update\":{},\"key\":[1],\"ts\":[1,1]}",
                        "{\"update\":{\"added\":1},\"key\":[2],\"ts\":[1,2]}",
                        "{\"update\":{\"added\":1},\"key\":[3],\"ts\":[1,3]}"))
                .hasSize(3)
                .hasOnlyElementsOfType(Change.class);
        assertThat(shapes.refreshes).isEqualTo(1);
    }

    @Test
    void keepsTheOrderOfManyMessagesBrokenOnesAmongThem() {
        String[] messages = IntStream.range(0, 5_000)
                .mapToObj(i -> i % 700 == 699 ? "{\"resolved\":" : "{\"resolved\":[" + i + ",0]}")
                .toArray(String[]::new);

        List<StreamRecord> records = decode(messages);

        assertThat(records).hasSameSizeAs(messages);
        assertThat(IntStream.range(0, messages.length))
                .allMatch(i -> i % 700 == 699
                        ? records.get(i) instanceof Unfit
                        : records.get(i).equals(new Barrier(new Position(i, 0))));
    }

    @Test
    void doesNotLookAgainWhenAllFits() {
        decode("{\"update\":{},\"key\":[1],\"ts\":[1,1]}", "{\"resolved\":[2,0]}");
        assertThat(shapes.refreshes).isZero();
    }

    @Test
    void looksAtTheTableAgainWhenTheSourceSaysThatItsOwnChanged() {
        decode("{\"tableChanges\":[],\"ts\":[1,1]}");
        assertThat(shapes.refreshes).isEqualTo(1);
    }

    @Test
    void goesByWhatOthersFoundOutAboutTheTable() {
        shapes.known = WIDE;
        decode("{\"update\":{\"added\":1},\"key\":[1],\"ts\":[1,1]}");
        assertThat(shapes.refreshes).isZero();
    }

    @Test
    void passesOverWhatLiesBelowTheOffset() {
        PartitionDecoder.Decoded decoded = decoder.decode(
                List.of(batch(5, "{\"resolved\":[5,0]}", "{\"resolved\":[6,0]}"), batch(7, "{\"resolved\":[7,0]}")), 6);
        assertThat(decoded.offsets()).containsExactly(6, 7);
        assertThat(decoded.records()).hasSize(2);
    }
}
