package io.aardappel.emulator.query;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Scheme;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.plan.Program;
import io.aardappel.emulator.query.plan.Run;
import io.aardappel.emulator.query.syntax.Statement;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The engine over the grammar {@code Yql.g4}. Keeps the texts compiled last. */
public final class YqlEngine implements QueryEngine {
    /** How many texts stay compiled. */
    private static final int COMPILED_MAX = 1_000;

    private record Key(String database, String text) {}

    private final ToLongFunction<String> clockMicros;
    private final Map<Key, Compiled> compiled;
    /** The time that a transaction was given, as long as it lives. */
    private final Map<Transaction, Long> times = Collections.synchronizedMap(new WeakHashMap<>());

    /** @param clockMicros microseconds since 1970 of a database by its path, for the functions of the current time */
    public YqlEngine(ToLongFunction<String> clockMicros) {
        this.clockMicros = clockMicros;
        this.compiled = Collections.synchronizedMap(new LeastRecent<>(COMPILED_MAX));
    }

    private static final class LeastRecent<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1L;
        private final int bound;

        LeastRecent(int bound) {
            super(16, 0.75f, true);
            this.bound = bound;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > bound;
        }
    }

    @Override
    public Compiled compile(String database, String text) {
        Key key = new Key(database, text);
        Compiled known = compiled.get(key);
        if (known == null) {
            known = guarded(() -> new CompiledScript(database, Script.parse(database, text)));
            compiled.put(key, known);
        }
        return known;
    }

    /** A text may nest more deeply than the stack allows. */
    private static <T> T guarded(Supplier<T> work) {
        try {
            return work.get();
        } catch (StackOverflowError e) {
            throw new YdbException(Status.GENERIC_ERROR, "The text is nested too deeply");
        }
    }

    private final class CompiledScript implements Compiled {
        private final String database;
        private final List<Statement> statements;
        private final Set<String> paths;
        private final List<Issue> warnings;
        private final boolean scheme;
        private final boolean readOnly;
        private final Map<String, Type> declared = new LinkedHashMap<>();

        CompiledScript(String database, Script script) {
            this.database = database;
            this.statements = script.statements();
            this.paths = script.paths();
            this.warnings = script.warnings();
            long schemes = count(Statement.SchemeStatement.class);
            long data = count(Statement.Select.class)
                    + count(Statement.Write.class)
                    + count(Statement.Update.class)
                    + count(Statement.Delete.class);
            if (schemes > 0 && data > 0) {
                throw new YdbException(
                        Status.GENERIC_ERROR,
                        "Queries with mixed data and scheme operations are not supported. "
                                + "Use separate queries for different types of operations.");
            }
            this.scheme = schemes > 0;
            this.readOnly = schemes == 0 && data == count(Statement.Select.class);
            for (Statement statement : statements) {
                if (statement instanceof Statement.Declare declare) {
                    declared.put(declare.name(), declare.type());
                }
            }
        }

        private long count(Class<? extends Statement> kind) {
            return statements.stream().filter(kind::isInstance).count();
        }

        @Override
        public boolean isScheme() {
            return scheme;
        }

        @Override
        public boolean isReadOnly() {
            return readOnly;
        }

        @Override
        public Set<String> paths() {
            return paths;
        }

        @Override
        public List<Issue> warnings() {
            return warnings;
        }

        @Override
        public Map<String, Type> declaredParameters() {
            return Collections.unmodifiableMap(declared);
        }

        @Override
        public List<ResultSet> execute(Transaction transaction, Map<String, TypedValue> parameters) {
            if (scheme) {
                throw new YdbException(Status.GENERIC_ERROR, "Scheme operations cannot be executed inside transaction");
            }
            Map<String, Program.Parameter> given = new HashMap<>();
            parameters.forEach((name, value) -> given.put(name, new Program.Parameter(value.type(), value.value())));
            return guarded(() -> Program.bind(statements, given, transaction)
                    .run(new Run(
                            transaction,
                            () -> times.computeIfAbsent(transaction, first -> clockMicros.applyAsLong(database))))
                    .stream()
                    .map(result -> new ResultSet(result.columns(), result.rows()))
                    .toList());
        }

        @Override
        public void executeScheme(Scheme target) {
            for (Statement statement : statements) {
                if (statement instanceof Statement.CreateTable create) {
                    target.createTable(create.table(), create.ifNotExists());
                } else if (statement instanceof Statement.AlterTable alter) {
                    target.alterTable(alter.path(), alter.changes());
                } else if (statement instanceof Statement.DropTable drop) {
                    target.dropTable(drop.path(), drop.ifExists());
                } else if (statement instanceof Statement.CreateTopic create) {
                    target.createTopic(create.topic(), create.ifNotExists());
                } else if (statement instanceof Statement.AlterTopic alter) {
                    target.alterTopic(alter.path(), alter.changes());
                } else if (statement instanceof Statement.DropTopic drop) {
                    target.dropTopic(drop.path(), drop.ifExists());
                }
            }
        }
    }
}
