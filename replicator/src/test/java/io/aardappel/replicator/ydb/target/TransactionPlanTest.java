package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.ValueProtos.TypedValue;

@DisplayName("A transaction's statements")
class TransactionPlanTest {
    private static final Call LAST = Call.of("MARK $id;\n", Map.of("$id", Params.utf8("x")));

    private static Statement plain(String table, int bytes) {
        return Statement.plain("UPSERT INTO " + table + " FROM (", ");\n", TypedValue.getDefaultInstance(), bytes);
    }

    private static Statement checked(String table) {
        RowCheck check = new RowCheck(table, List.of(), List.of());
        return new Statement(
                "UPDATE " + table + " ON (",
                ") RETURNING k;\n",
                TypedValue.getDefaultInstance(),
                1,
                Optional.of(check));
    }

    private static List<Call> plan(List<Statement> statements, int textBytes, int parameterBytes) {
        return TransactionPlan.of(statements, LAST, textBytes, parameterBytes);
    }

    @Test
    void goInOneCallWithTheMarkWhereTheyFit() {
        assertThat(plan(List.of(plain("a", 10), plain("b", 10)), 10_000, 1_000))
                .singleElement()
                .satisfies(call -> {
                    assertThat(call.text())
                            .isEqualTo("UPSERT INTO a FROM ($p0);\nUPSERT INTO b FROM ($p1);\nMARK $id;\n");
                    assertThat(call.parameters()).containsOnlyKeys("$p0", "$p1", "$id");
                });
    }

    @Test
    void areTheMarkAloneWhereThereAreNone() {
        assertThat(plan(List.of(), 10_000, 1_000)).extracting(Call::text).containsExactly("MARK $id;\n");
    }

    @Test
    void areSpreadWhereParametersWouldBeTooMany() {
        assertThat(plan(List.of(plain("a", 600), plain("b", 600)), 10_000, 1_000))
                .extracting(Call::text)
                .containsExactly("UPSERT INTO a FROM ($p0);\n", "UPSERT INTO b FROM ($p0);\nMARK $id;\n");
    }

    @Test
    void neverMakeATextThatIsTooLongAndKeepTheirOrder() {
        List<Statement> many =
                IntStream.range(0, 100).mapToObj(i -> plain("table" + i, 1)).toList();

        List<Call> calls = plan(many, 200, 1_000_000);

        assertThat(calls)
                .allSatisfy(call ->
                        assertThat(call.text().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(200));
        String all = String.join("", calls.stream().map(Call::text).toList()).replaceAll("\\$p\\d+", "");
        assertThat(all)
                .isEqualTo(
                        String.join("", many.stream().map(one -> one.text("")).toList()) + "MARK $id;\n");
    }

    @Test
    void thatGiveKeysBackAreNeverInTheCallThatCommits() {
        List<Call> calls = plan(List.of(plain("a", 1), checked("b"), checked("c"), plain("d", 1)), 10_000, 1_000);

        assertThat(calls).extracting(call -> call.checks().size()).containsExactly(0, 2, 0);
        assertThat(calls.get(2).text()).endsWith("MARK $id;\n").contains("INTO d");
    }

    @Test
    void thatGiveKeysBackAndComeLastLeaveTheMarkACallOfItsOwn() {
        assertThat(plan(List.of(checked("b")), 10_000, 1_000))
                .extracting(Call::text)
                .containsExactly("UPDATE b ON ($p0) RETURNING k;\n", "MARK $id;\n");
    }
}
