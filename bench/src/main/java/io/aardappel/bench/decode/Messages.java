package io.aardappel.bench.decode;

import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.codec.TableShape.Column;
import io.aardappel.replicator.codec.YdbType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;

/** Messages as a changefeed of mode UPDATES writes them: 236 bytes, two key columns, five others of four types. */
final class Messages {
    static final int CHANGE_BYTES = 236;

    private static final long FIRST_STEP = 1_764_410_400_000L;
    private static final long FIRST_KEY = 10_000_000_000L;

    private Messages() {}

    /** The table that they are for. */
    static TableShape table() {
        return new TableShape(
                "/local/measured",
                List.of(
                        column("id", PrimitiveTypeId.UINT64, true),
                        column("tenant", PrimitiveTypeId.UTF8, true),
                        column("amount", PrimitiveTypeId.INT64, false),
                        column("changed", PrimitiveTypeId.TIMESTAMP, false),
                        column("name", PrimitiveTypeId.UTF8, false),
                        column("note", PrimitiveTypeId.UTF8, false),
                        column("open", PrimitiveTypeId.BOOL, false)),
                List.of("id", "tenant"));
    }

    private static Column column(String name, PrimitiveTypeId type, boolean notNull) {
        return new Column(name, YdbType.of(type), notNull, false);
    }

    /**
     * A change of a row of its own.
     *
     * @param number gives key, values and position; below a million
     */
    static byte[] change(int number) {
        String form =
                "{\"update\":{\"amount\":%d,\"changed\":\"2026-11-29T10:%02d:%02d.%06dZ\",\"name\":\"name of %d\","
                        + "\"note\":\"%s\",\"open\":%b},\"key\":[%d,\"tenant-%03d\"],\"ts\":[%d,%d]}";
        int filled = message(form, number, "").length;
        byte[] message = message(form, number, "payload ".repeat(20).substring(0, CHANGE_BYTES - filled));
        if (message.length != CHANGE_BYTES) {
            throw new IllegalStateException("a message of " + message.length + " bytes");
        }
        return message;
    }

    private static byte[] message(String form, int number, String note) {
        return form.formatted(
                        number * 7L,
                        number / 60 % 60,
                        number % 60,
                        number,
                        number,
                        note,
                        number % 2 == 0,
                        FIRST_KEY + number,
                        number % 1_000,
                        FIRST_STEP + number,
                        281_474_976_710_657L + number)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Says that there is no further change below that number. */
    static byte[] barrier(int number) {
        return "{\"resolved\":[%d,0]}".formatted(FIRST_STEP + number).getBytes(StandardCharsets.UTF_8);
    }
}
