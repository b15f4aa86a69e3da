package io.aardappel.replicator.ydb.target;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tech.ydb.proto.ValueProtos.TypedValue;

/**
 * Statements spread over as few calls as the bounds of a call allow. Statements that give keys back are in calls of
 * their own, before the last, so that what they show is known before anything commits.
 */
final class TransactionPlan {
    private final int textBytes;
    private final int parameterBytes;
    private final List<Call> calls = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private Map<String, TypedValue> parameters = new LinkedHashMap<>();
    private List<RowCheck> checks = new ArrayList<>();
    private int bytes;

    private TransactionPlan(int textBytes, int parameterBytes) {
        this.textBytes = textBytes;
        this.parameterBytes = parameterBytes;
    }

    /**
     * Shares the statements out over calls.
     *
     * @param last carried by the last call, behind the statements that still fit there
     * @return at least one call; the last has no checks and is the one to commit with
     */
    static List<Call> of(List<Statement> statements, Call last, int textBytes, int parameterBytes) {
        TransactionPlan plan = new TransactionPlan(textBytes, parameterBytes);
        for (Statement statement : statements) {
            plan.add(statement);
        }
        plan.finish(last);
        return plan.calls;
    }

    private void add(Statement statement) {
        boolean otherKind = statement.check().isPresent() == checks.isEmpty() && !parameters.isEmpty();
        if (otherKind || !fits(statement.text(name()), statement.bytes())) {
            flush();
        }
        String name = name();
        text.append(statement.text(name));
        parameters.put(name, statement.rows());
        statement.check().ifPresent(checks::add);
        bytes += statement.bytes();
    }

    private void finish(Call last) {
        int lastBytes = last.parameters().values().stream()
                .mapToInt(TypedValue::getSerializedSize)
                .sum();
        if (!checks.isEmpty() || !fits(last.text(), lastBytes)) {
            flush();
        }
        text.append(last.text());
        parameters.putAll(last.parameters());
        flush();
    }

    private boolean fits(String more, int moreBytes) {
        int length =
                text.toString().getBytes(StandardCharsets.UTF_8).length + more.getBytes(StandardCharsets.UTF_8).length;
        return parameters.isEmpty() || (length <= textBytes && (long) bytes + moreBytes <= parameterBytes);
    }

    private void flush() {
        if (!parameters.isEmpty()) {
            calls.add(new Call(text.toString(), parameters, checks));
            text.setLength(0);
            parameters = new LinkedHashMap<>();
            checks = new ArrayList<>();
            bytes = 0;
        }
    }

    private String name() {
        return "$p" + parameters.size();
    }
}
