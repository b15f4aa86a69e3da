package io.aardappel.e2e.demo;

import io.aardappel.e2e.world.Comparison;
import io.aardappel.e2e.world.Database;
import io.aardappel.e2e.world.Row;
import java.io.PrintStream;
import java.util.List;

/** How the demo ends: with both databases held against each other. */
final class Verdict {
    private Verdict() {}

    /** Compares all tables while nothing writes to them, prints state row, figures and verdict. Returns whether they are equal. */
    static boolean passes(PrintStream out, Database source, Database copy) {
        Row state = copy.read("SELECT step_id, tx_id, stage, state FROM aardappel_state;")
                .get(0);
        out.println("   state row: " + state.values().toString().replaceAll("Some\\[\"?([^\\]\"]*)\"?]", "$1"));
        List<Comparison> tables = Comparison.ofShop(source, copy);
        tables.forEach(table ->
                out.printf("   %-12s %7d rows, %d differences%n", table.table(), table.rows(), table.differences()));
        long rows = tables.stream().mapToLong(Comparison::rows).sum();
        long differences = tables.stream().mapToLong(Comparison::differences).sum();
        out.println();
        out.printf("%d rows in %d tables compared: %d differences%n", rows, tables.size(), differences);
        boolean passed = differences == 0 && rows > 0;
        out.println(passed ? "VERDICT: the replica is the source as of its checkpoint" : "VERDICT: FAILED");
        return passed;
    }
}
