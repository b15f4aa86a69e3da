package io.aardappel.replicator.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A message that is broken somewhere")
class BrokenMessagesTest {
    private static final int MESSAGES = 20_000;
    private static final byte[] LIKELY = RandomFeed.utf8("{}[]\",:\\-+.eE0123456789nulltruefalse \n\u0000");

    private final TableShape shape = shape();
    private final ChangeDecoder decoder = new ChangeDecoder(shape, FeedImages.WRITTEN_COLUMNS);

    private static TableShape shape() {
        List<TableShape.Column> columns = new ArrayList<>();
        for (YdbType type : RandomFeed.TYPES) {
            columns.add(new TableShape.Column("c" + columns.size(), type, columns.size() % 3 == 0, false));
        }
        return new TableShape("/local/t", columns, List.of("c3", "c18"));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13, 14})
    void isAnsweredWithARecordAndNeverAnException(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < MESSAGES; i++) {
            byte[] message = mutated(whole(random), random);
            assertThatCode(() -> decoder.decode(message))
                    .as("seed %d message %d: %s", seed, i, HexFormat.of().formatHex(message))
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {21, 22})
    void isUnfitWhenItIsNoiseAltogether(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < MESSAGES; i++) {
            byte[] message = new byte[random.nextInt(40)];
            random.nextBytes(message);
            if (message.length > 0 && random.nextBoolean()) {
                message[0] = '{';
            }
            assertThat(decoder.decode(message))
                    .as("seed %d message %d: %s", seed, i, HexFormat.of().formatHex(message))
                    .isInstanceOf(Unfit.class);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {41, 42, 43})
    void changesNothingForThoseAroundItWhereMessagesAreReadTogether(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < MESSAGES / 10; i++) {
            List<byte[]> messages = new ArrayList<>();
            ByteArrayOutputStream together = new ByteArrayOutputStream();
            for (int m = random.nextInt(12); m >= 0; m--) {
                byte[] message = random.nextInt(3) == 0 ? mutated(whole(random), random) : whole(random);
                messages.add(message);
                together.write(message);
            }
            byte[] buffer = together.toByteArray();
            List<StreamRecord> read = new ArrayList<>();
            int from = 0;
            for (byte[] message : messages) {
                int to = from + message.length;
                boolean leftOut = random.nextInt(8) == 0;
                read.add(leftOut ? decoder.decode(message) : decoder.decodeNext(buffer, from, to, buffer.length));
                from = to;
            }
            List<StreamRecord> alone = messages.stream()
                    .map(message -> new ChangeDecoder(shape, FeedImages.WRITTEN_COLUMNS).decode(message))
                    .toList();
            if (!same(read, alone)) { // to be told where: a hundred times as slow as the look whether they differ
                assertThat(read)
                        .as("seed %d run %d: %s", seed, i, HexFormat.of().formatHex(buffer))
                        .usingRecursiveComparison()
                        .withEqualsForType(Float::equals, Float.class) // AssertJ's own take no NaN for another
                        .withEqualsForType(Double::equals, Double.class)
                        .isEqualTo(alone);
            }
        }
    }

    private static boolean same(List<StreamRecord> some, List<StreamRecord> others) {
        return some.size() == others.size()
                && IntStream.range(0, some.size()).allMatch(i -> same(some.get(i), others.get(i)));
    }

    /** In all that they say; false for some that are the same. */
    private static boolean same(StreamRecord one, StreamRecord other) {
        return one instanceof Change a && other instanceof Change b
                ? a.position().equals(b.position())
                        && a.operation() == b.operation()
                        && a.key().equals(b.key())
                        && a.key().toString().equals(b.key().toString())
                        && Arrays.equals(a.columns().ordinals(), b.columns().ordinals())
                        && Arrays.deepEquals(a.columns().values(), b.columns().values())
                        && a.bytes() == b.bytes()
                : one.equals(other);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {31})
    void isUnfitWhenItIsCutShort(long seed) {
        Random random = new Random(seed);
        byte[] message = whole(random);
        for (int length = 0; length < message.length; length++) {
            StreamRecord record = decoder.decode(Arrays.copyOf(message, length));
            assertThat(record).as("seed %d, first %d bytes", seed, length).isInstanceOf(Unfit.class);
        }
    }

    private byte[] whole(Random random) {
        RandomFeed feed = new RandomFeed(random);
        StringBuilder columns = new StringBuilder();
        for (int i = 0; i < shape.columns().size(); i++) {
            if (!shape.isKey(i) && random.nextInt(3) == 0) {
                columns.append(columns.isEmpty() ? "" : ",")
                        .append("\"c")
                        .append(i)
                        .append("\":")
                        .append(feed.sample(shape.column(i).type()).json());
            }
        }
        String key = feed.sample(shape.column(3).type()).json() + ","
                + feed.sample(shape.column(18).type()).json();
        return RandomFeed.utf8("{\"update\":{" + columns + "},\"key\":[" + key + "],\"ts\":[1,2]}");
    }

    private static byte[] mutated(byte[] message, Random random) {
        byte[] mutated = message.clone();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(mutated.length);
            switch (random.nextInt(4)) {
                case 0 -> mutated[at] = (byte) random.nextInt();
                case 1 -> mutated[at] = LIKELY[random.nextInt(LIKELY.length)];
                case 2 -> mutated = spliced(mutated, at, random.nextInt(mutated.length));
                default -> mutated = Arrays.copyOf(mutated, Math.max(1, at));
            }
        }
        return mutated;
    }

    /** Part of the message comes twice, or not at all. */
    private static byte[] spliced(byte[] message, int to, int from) {
        byte[] spliced = Arrays.copyOf(message, to + message.length - from);
        System.arraycopy(message, from, spliced, to, message.length - from);
        return spliced;
    }
}
