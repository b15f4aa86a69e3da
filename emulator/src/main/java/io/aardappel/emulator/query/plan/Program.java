package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.syntax.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements of a text with all names and types resolved. Nothing has run when one of them is refused. */
public final class Program {
    /** A parameter as given. */
    public record Parameter(Type type, @Nullable Object value) {}

    /** One result set; rows hold values by column. */
    public record Result(List<Type.Member> columns, List<List<@Nullable Object>> rows) {}

    private final List<Statements.Step> steps;

    private Program(List<Statements.Step> steps) {
        this.steps = steps;
    }

    /**
     * Resolves and types all statements of a text before the first one runs.
     *
     * @param statements without schema statements
     */
    public static Program bind(List<Statement> statements, Map<String, Parameter> parameters, Transaction transaction) {
        Map<String, Globals.Given> given = new HashMap<>();
        parameters.forEach(
                (name, parameter) -> given.put(dollar(name), new Globals.Given(parameter.type(), parameter.value())));
        Globals globals = Globals.of(given);
        QueryBinder queries = new QueryBinder(globals, transaction);
        List<Statements.Step> steps = new ArrayList<>();
        for (Statement statement : statements) {
            if (statement instanceof Statement.Declare declare) {
                globals.declare(declare.name(), declare.type());
            } else if (statement instanceof Statement.Assign assign) {
                globals = globals.assign(assign.name(), assign.value());
                queries = queries.with(globals);
            } else {
                steps.add(new Statements(queries).bind(statement));
            }
        }
        return new Program(steps);
    }

    private static String dollar(String name) {
        return name.startsWith("$") ? name : "$" + name;
    }

    /** Runs the statements in order; a result for each SELECT and RETURNING. */
    public List<Result> run(Run run) {
        List<Result> results = new ArrayList<>();
        for (Statements.Step step : steps) {
            run.nextStatement();
            Result result = step.run(run);
            if (result != null) {
                results.add(result);
            }
        }
        return results;
    }
}
