package io.aardappel.bench.drain;

import java.util.ArrayList;
import java.util.List;

/**
 * A row of the tables that are measured: two key columns, five others; 236 bytes in a changefeed.
 *
 * @param changed microseconds since 1970
 */
record Row(long id, String tenant, long amount, long changed, String name, String note, boolean open) {
    /** How many different ones there are; their ids follow each other. */
    static final int DIFFERENT = 100_000;

    private static final long FIRST_ID = 10_000_000_000L;
    private static final long FIRST_CHANGE = 1_764_410_400_000_000L;

    static final String COLUMNS = "id, tenant, amount, changed, name, note, open";
    static final String DEFINITION = "(id Uint64 NOT NULL, tenant Utf8 NOT NULL, amount Int64, changed Timestamp, "
            + "name Utf8, note Utf8, open Bool, PRIMARY KEY (id, tenant))";

    /** Ids at which a table falls into so many equal parts. */
    static String borders(int parts) {
        List<String> borders = new ArrayList<>();
        for (int part = 1; part < parts; part++) {
            borders.add(Long.toString(FIRST_ID + (long) DIFFERENT * part / parts));
        }
        return "(" + String.join(", ", borders) + ")";
    }

    /** All rows, such that any thousand of them that follow each other are spread over the whole range of ids. */
    static List<Row> all() {
        List<Row> rows = new ArrayList<>(DIFFERENT);
        int step = 61_803; // has no divisor in common with the number of rows
        for (int i = 0; i < DIFFERENT; i++) {
            rows.add(of((int) ((long) i * step % DIFFERENT)));
        }
        return rows;
    }

    private static Row of(int number) {
        return new Row(
                FIRST_ID + number,
                "tenant-%03d".formatted(number % 1_000),
                1_000_000 + number * 7L,
                FIRST_CHANGE + number * 1_000_003L,
                "name of " + (1_000_000 + number),
                "a note of some length that stands for payload " + (1_000_000 + number),
                number % 2 == 0);
    }
}
