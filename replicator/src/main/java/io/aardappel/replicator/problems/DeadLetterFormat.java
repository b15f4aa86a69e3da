package io.aardappel.replicator.problems;

import io.aardappel.replicator.codec.RecordJson;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.engine.Decisions.Question;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** How a dead letter is written. */
public enum DeadLetterFormat {
    /** The Go program's line of text; no column values. */
    TEXT {
        @Override
        String text(String instanceId, StreamPolicy policy, Question question, TableShape shape) {
            Position at = question.position();
            String tx = "{\"topic\":\"" + policy.topic() + "\",\"key\":" + keyOf(question, shape) + ",\"ts\":"
                    + pair(at) + "}";
            return question.problem().reason() == Problem.Reason.LATE_RECORD
                    ? "Unexpected timestamp in stream, last hb ts:"
                            + pair(question.barrier().orElse(Position.ZERO)) + ", got tx " + tx
                    : "Unfit record in stream, " + question.problem().what() + ", got tx " + tx;
        }
    },
    /** One JSON object that says all that is known of the record, column values among it. */
    JSON {
        @Override
        String text(String instanceId, StreamPolicy policy, Question question, TableShape shape) {
            StringBuilder text = new StringBuilder("{\"instance_id\":").append(RecordJson.quoted(instanceId));
            member(text, "reason", RecordJson.quoted(question.problem().reason().name()));
            member(text, "topic", RecordJson.quoted(policy.topic()));
            member(text, "consumer", RecordJson.quoted(policy.stream().consumer()));
            member(text, "partition", Long.toString(question.partition().partition()));
            member(text, "offset", Long.toString(question.offset()));
            member(text, "table", RecordJson.quoted(policy.stream().table()));
            member(text, "key", keyOf(question, shape));
            member(text, "ts", pair(question.position()));
            question.barrier().ifPresent(barrier -> member(text, "barrier", pair(barrier)));
            question.change().ifPresent(change -> payload(text, change, shape));
            question.wording().ifPresent(wording -> payload(text, wording.operation(), wording.columns()));
            member(text, "problem", RecordJson.quoted(question.problem().what()));
            return text.append('}').toString();
        }
    };

    abstract String text(String instanceId, StreamPolicy policy, Question question, TableShape shape);

    byte[] message(String instanceId, StreamPolicy policy, Question question, TableShape shape) {
        return text(instanceId, policy, question, shape).getBytes(StandardCharsets.UTF_8);
    }

    /** The key as the feed writes it; null where it could not be read. */
    static String keyOf(Question question, TableShape shape) {
        String text = question.change()
                .map(change -> RecordJson.key(change.key(), shape))
                .orElse(question.key());
        return text.isEmpty() ? "null" : text;
    }

    private static void payload(StringBuilder text, Change change, TableShape shape) {
        payload(text, change.operation(), RecordJson.columns(change.columns(), shape));
    }

    private static void payload(StringBuilder text, Operation operation, String columns) {
        member(text, "operation", RecordJson.quoted(operation.name().toLowerCase(Locale.ROOT)));
        member(text, "columns", columns);
    }

    private static void member(StringBuilder text, String name, String json) {
        text.append(",\"").append(name).append("\":").append(json);
    }

    private static String pair(Position position) {
        return "[" + Long.toUnsignedString(position.step()) + "," + Long.toUnsignedString(position.txId()) + "]";
    }
}
