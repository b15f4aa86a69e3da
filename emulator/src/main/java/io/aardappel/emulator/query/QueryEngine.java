package io.aardappel.emulator.query;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Scheme;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.value.Type;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compiles and runs YQL text. Thread-safe. Unknown syntax is a {@link io.aardappel.emulator.model.YdbException} with
 * GENERIC_ERROR and a position, never a wrong result.
 */
public interface QueryEngine {
    /** A value with its type, as parameters carry it. */
    record TypedValue(Type type, @Nullable Object value) {}

    /** One result set; rows hold values by column. */
    record ResultSet(List<Type.Member> columns, List<List<@Nullable Object>> rows) {}

    /** A compiled text: what it is made of is known before anything runs. */
    interface Compiled {
        /** True when the text is one or more schema statements, which run outside transactions. */
        boolean isScheme();

        /** True when no statement writes. */
        boolean isReadOnly();

        /** Absolute paths of the tables and topics that the text names. */
        Set<String> paths();

        /** Parameters that the text declares, by name with the dollar sign, in order. */
        Map<String, Type> declaredParameters();

        /** What is odd about the text though it can run; answered with its results. */
        default List<Issue> warnings() {
            return List.of();
        }

        /** Runs the statements in order inside the transaction; one result set for each SELECT or RETURNING. */
        List<ResultSet> execute(Transaction transaction, Map<String, TypedValue> parameters);

        /** Runs schema statements. */
        void executeScheme(Scheme scheme);
    }

    /**
     * Parses and resolves names as far as that is possible without parameters.
     *
     * @param database absolute path of the database, to which relative names belong
     */
    Compiled compile(String database, String text);
}
