package io.aardappel.replicator.app;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Dead letters as lines of text in columns, as wide as they must be. */
final class LetterTable {
    /** State of a letter that can be replayed. */
    static final String LEFT_OUT = "left out";

    private static final Row HEAD =
            new Row("LETTER", "WRITTEN", "STATE", "REASON", "STREAM", "PARTITION", "OFFSET", "POSITION", "KEY");

    private final List<Row> rows = new ArrayList<>(List.of(HEAD));

    /** One line; what is not known is a dash. */
    record Row(
            String letter,
            String written,
            String state,
            String reason,
            String stream,
            String partition,
            String offset,
            String position,
            String key) {
        private String[] cells() {
            return new String[] {letter, written, state, reason, stream, partition, offset, position, key};
        }
    }

    void add(Row row) {
        rows.add(row);
    }

    void print(PrintWriter out) {
        int[] widths = new int[HEAD.cells().length];
        for (Row row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.cells()[i].length());
            }
        }
        widths[widths.length - 1] = 1;
        StringBuilder form = new StringBuilder();
        Arrays.stream(widths).forEach(width -> form.append("%-").append(width).append("s  "));
        rows.forEach(row ->
                out.println(form.toString().formatted((Object[]) row.cells()).stripTrailing()));
    }
}
