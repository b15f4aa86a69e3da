package io.aardappel.replicator.problems;

import io.aardappel.replicator.codec.ChangeDecoder;
import io.aardappel.replicator.codec.FeedImages;
import io.aardappel.replicator.codec.RawMembers;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a message among the dead letters says of its record. A closed set. */
public sealed interface DeadLetter {
    /**
     * A line of text, ours or the Go program's: it says which record it was, but not where it was read nor what it would write.
     *
     * @param topic as the configuration spelled it
     * @param key JSON text
     */
    record Line(String reason, String topic, String key, Position position) implements DeadLetter {}

    /**
     * All that was known.
     *
     * @param topic as the configuration spelled it
     * @param table absolute path
     * @param key JSON text, {@code null} where it could not be read
     * @param problem what was wrong with the record, in words
     * @param payload what it would write, empty where it could not be read as a change
     */
    record Whole(
            String instanceId,
            String reason,
            String topic,
            String consumer,
            long partition,
            long offset,
            String table,
            String key,
            Position position,
            String problem,
            Optional<Payload> payload)
            implements DeadLetter {}

    /** Nothing that this program or the Go program writes. */
    record Stranger() implements DeadLetter {}

    /**
     * What a record would write.
     *
     * @param operation {@code update}, {@code replace} or {@code erase}
     * @param columns JSON text of an object
     */
    record Payload(String operation, String columns) {
        private String member() {
            return operation.equals("replace") ? "reset" : operation;
        }
    }

    /** Reads any message. */
    static DeadLetter of(byte[] message) {
        Optional<Map<String, String>> members = RawMembers.of(message);
        return members.isPresent() ? Letters.whole(members.get()) : Letters.line(message);
    }

    /**
     * The change that the letter is about, as it would be read from the feed now.
     *
     * @param shape of the table that it is for
     * @return a change, or an {@link StreamRecord.Unfit} that says why it can be none
     */
    static StreamRecord decode(Whole letter, Payload payload, TableShape shape) {
        String ts = letter.position().toString();
        String message = "{\"" + payload.member() + "\":" + payload.columns() + ",\"key\":" + letter.key() + ",\"ts\":"
                + ts + "}";
        return new ChangeDecoder(shape, FeedImages.WRITTEN_COLUMNS).decode(message.getBytes(StandardCharsets.UTF_8));
    }

    /** How the two formats are read. */
    final class Letters {
        private static final Pattern OPERATION = Pattern.compile("update|replace|erase");
        private static final Pattern PAIR = Pattern.compile("\\[\\s*(\\d{1,20})\\s*,\\s*(\\d{1,20})\\s*]");
        private static final String RECORD = "got tx {";

        private Letters() {}

        private static DeadLetter whole(Map<String, String> members) {
            Optional<Position> position = position(members.getOrDefault("ts", ""));
            String partition = members.getOrDefault("partition", "");
            String offset = members.getOrDefault("offset", "");
            if (position.isEmpty() || !isNumber(partition) || !isNumber(offset)) {
                return new Stranger();
            }
            String operation = text(members, "operation");
            Optional<Payload> payload = OPERATION.matcher(operation).matches()
                    ? Optional.of(new Payload(operation, members.getOrDefault("columns", "{}")))
                    : Optional.empty();
            return new Whole(
                    text(members, "instance_id"),
                    text(members, "reason"),
                    text(members, "topic"),
                    text(members, "consumer"),
                    Long.parseLong(partition),
                    Long.parseLong(offset),
                    text(members, "table"),
                    members.getOrDefault("key", "null"),
                    position.get(),
                    text(members, "problem"),
                    payload);
        }

        private static DeadLetter line(byte[] message) {
            String line = new String(message, StandardCharsets.UTF_8);
            int at = line.lastIndexOf(RECORD);
            if (at < 0) {
                return new Stranger();
            }
            String record = line.substring(at + RECORD.length() - 1).strip();
            Map<String, String> members =
                    RawMembers.of(record.getBytes(StandardCharsets.UTF_8)).orElse(Map.of());
            String reason = line.startsWith("Unexpected timestamp") ? "LATE_RECORD" : "UNFIT_RECORD";
            return position(members.getOrDefault("ts", ""))
                    .<DeadLetter>map(position ->
                            new Line(reason, text(members, "topic"), members.getOrDefault("key", "null"), position))
                    .orElseGet(Stranger::new);
        }

        private static Optional<Position> position(String pair) {
            Matcher matcher = PAIR.matcher(pair);
            try {
                return matcher.matches()
                        ? Optional.of(new Position(
                                Long.parseUnsignedLong(matcher.group(1)), Long.parseUnsignedLong(matcher.group(2))))
                        : Optional.empty();
            } catch (NumberFormatException tooLarge) {
                return Optional.empty();
            }
        }

        private static boolean isNumber(String json) {
            return json.matches("\\d{1,18}");
        }

        private static String text(Map<String, String> members, String name) {
            return RawMembers.text(members.getOrDefault(name, "")).orElse("");
        }
    }
}
