package io.aardappel.e2e.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.aardappel.e2e.snapshot.Replica.Snapshot;
import io.aardappel.e2e.snapshot.SourceTable.Column;
import io.aardappel.e2e.snapshot.TableColumns.Side;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Adds columns to tables and drops them again while the tables are written, by seed. The statement that adds them is
 * run at one side first and at the other some time later. They are dropped at the source first, and at the destination
 * when the replica is past that: before, records that carry them may be on their way. Not thread-safe.
 */
final class Alterations {
    private static final int LIVES_PER_TABLE = 2;

    /** Much less than {@link #SCHEMA_WAIT}: on a busy machine more passes than is asked for. */
    private static final Duration LAG_MAX = Duration.ofSeconds(3);

    /** For {@code replicator.schema_wait}. */
    static final Duration SCHEMA_WAIT = Duration.ofSeconds(20);

    private static final String AWAITED = "records carry a column that the destination table lacks; it is waited for";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Types with a literal of each, for defaults. */
    private static final Map<ColumnType, String> LITERALS = new EnumMap<>(Map.of(
            ColumnType.BOOL, "true",
            ColumnType.INT32, "-7",
            ColumnType.INT64, "-70000000000",
            ColumnType.UINT64, "7",
            ColumnType.DOUBLE, "0.5",
            ColumnType.STRING, "'by default'",
            ColumnType.UTF8, "'by default'u",
            ColumnType.TIMESTAMP, "Timestamp('2024-02-29T00:00:01Z')",
            ColumnType.DECIMAL, "Decimal('1.5', 22, 9)"));

    /** Where the other side is when one has just got the columns. */
    private enum Order {
        DESTINATION_FIRST,
        /** By so many rounds, whether a record carries them meanwhile or not. */
        SOURCE_FIRST,
        /** While nobody writes to the table, so that checkpoints go on without the columns. */
        SOURCE_FIRST_AT_REST,
        /** Until the replicator has said that it waits for one of them. */
        SOURCE_FIRST_AWAITED;

        Side first() {
            return this == DESTINATION_FIRST ? Side.DESTINATION : Side.SOURCE;
        }

        Side second() {
            return this == DESTINATION_FIRST ? Side.SOURCE : Side.DESTINATION;
        }
    }

    /** What comes next of a life. */
    private enum Step {
        ADD,
        ADD_AT_THE_OTHER_SIDE,
        DROP_AT_THE_SOURCE,
        DROP_AT_THE_DESTINATION,
        OVER
    }

    /** Columns of a table that come and go together. Pauses are in rounds of the run. */
    private final class Life {
        private final SourceTable table;
        private final List<Column> columns;
        private final Order order;
        private final boolean staysAtTheDestination;
        private final int[] pauses;
        private Step next = Step.ADD;
        private int rounds;
        private long steppedAt = System.nanoTime();
        private long droppedBelow;

        Life(SourceTable table, List<Column> columns, Order order, boolean staysAtTheDestination) {
            this.table = table;
            this.columns = columns;
            this.order = order;
            this.staysAtTheDestination = staysAtTheDestination;
            this.pauses = new int[] {random.nextInt(6), random.nextInt(12), 2 + random.nextInt(12), random.nextInt(6)};
        }

        int statements() {
            return staysAtTheDestination ? 3 : 4;
        }

        /** Whether records may carry a column that the destination lacks. */
        boolean isMissed() {
            return order.first() == Side.SOURCE && next == Step.ADD_AT_THE_OTHER_SIDE;
        }

        /** Runs the next statement when it is due. */
        void live(Snapshot seen) {
            rounds++;
            if (!isDue(seen)) {
                return;
            }
            switch (next) {
                case ADD -> {
                    if (order == Order.SOURCE_FIRST_AT_REST) {
                        columnsNow.rest(table);
                    }
                    add(order.first());
                }
                case ADD_AT_THE_OTHER_SIDE -> {
                    add(order.second());
                    columnsNow.endRest(table);
                }
                case DROP_AT_THE_SOURCE -> {
                    drop(Side.SOURCE);
                    droppedBelow = history.now() + 1;
                }
                case DROP_AT_THE_DESTINATION -> drop(Side.DESTINATION);
                case OVER -> throw new IllegalStateException("nothing is left to be done for " + columns);
            }
            boolean last = next == Step.DROP_AT_THE_SOURCE && staysAtTheDestination;
            next = last ? Step.OVER : Step.values()[next.ordinal() + 1];
            rounds = 0;
            steppedAt = System.nanoTime();
        }

        private boolean isDue(Snapshot seen) {
            boolean paused = next != Step.OVER && rounds > pauses[next.ordinal()];
            return switch (next) {
                case ADD, DROP_AT_THE_SOURCE -> paused;
                case ADD_AT_THE_OTHER_SIDE ->
                    (paused && hasLagged()) || System.nanoTime() - steppedAt > LAG_MAX.toNanos();
                case DROP_AT_THE_DESTINATION -> paused && Long.compareUnsigned(seen.step(), droppedBelow) > 0;
                case OVER -> false;
            };
        }

        private boolean hasLagged() {
            return switch (order) {
                case DESTINATION_FIRST, SOURCE_FIRST -> true;
                case SOURCE_FIRST_AT_REST -> false;
                case SOURCE_FIRST_AWAITED -> columns.stream().anyMatch(this::isAwaited);
            };
        }

        private boolean isAwaited(Column column) {
            return awaited.contains(name(table.name(), column.name()));
        }

        private void add(Side side) {
            alter(
                    side,
                    columns.stream()
                            .map(column -> "ADD COLUMN " + column.definition())
                            .toList());
            columnsNow.added(table, side, columns);
        }

        private void drop(Side side) {
            alter(
                    side,
                    columns.stream()
                            .map(column -> "DROP COLUMN `" + column.name() + "`")
                            .toList());
            columnsNow.dropped(table, side, columns);
            if (side == Side.DESTINATION) {
                columns.forEach(column -> awaited.remove(name(table.name(), column.name())));
            }
        }

        private void alter(Side side, List<String> changes) {
            statements.get(side).execute("ALTER TABLE `" + table.name() + "` " + String.join(", ", changes) + ";");
            fired++;
        }
    }

    private final Map<Side, SchemeStatements> statements;
    private final TableColumns columnsNow;
    private final SourceHistory history;
    private final Random random;
    private final LogReading log;
    private final List<Deque<Life>> lives = new ArrayList<>();
    private final int planned;
    /** Those that the replicator has waited for since the destination last dropped them. */
    private final Set<String> awaited = new HashSet<>();

    private final Set<String> everAwaited = new TreeSet<>();
    private int fits;
    private int fired;
    private int atTheSourceAlone;
    private int atTheDestinationAlone;

    /** @param log of the replicators */
    Alterations(
            SchemeStatements source,
            SchemeStatements destination,
            List<SourceTable> tables,
            TableColumns columns,
            SourceHistory history,
            LogReading log,
            long seed) {
        this.statements = new EnumMap<>(Map.of(Side.SOURCE, source, Side.DESTINATION, destination));
        this.columnsNow = columns;
        this.history = history;
        this.log = log;
        this.random = new Random(seed * 31_415_926_535L); // near seeds begin alike
        for (int i = 0; i < tables.size(); i++) {
            lives.add(livesOf(tables.get(i), i));
        }
        this.planned =
                lives.stream().flatMap(Deque::stream).mapToInt(Life::statements).sum();
    }

    /** Each table is waited for once at least, so that every mode of feed is; the rest is by chance. */
    private Deque<Life> livesOf(SourceTable table, int index) {
        Deque<Life> result = new ArrayDeque<>();
        int awaitedOne = (index + random.nextInt(LIVES_PER_TABLE)) % LIVES_PER_TABLE;
        List<Column> former = List.of();
        for (int i = 0; i < LIVES_PER_TABLE; i++) {
            boolean last = i == LIVES_PER_TABLE - 1;
            Order order = i == awaitedOne
                    ? Order.SOURCE_FIRST_AWAITED
                    : anyOf(List.of(Order.DESTINATION_FIRST, Order.SOURCE_FIRST, Order.SOURCE_FIRST_AT_REST));
            List<Column> columns = randomColumns(i);
            if (!former.isEmpty() && random.nextBoolean()) {
                columns = former; // a replicator may never have met the table without them
            }
            result.add(new Life(table, columns, order, last && random.nextInt(3) == 0));
            former = columns;
        }
        return result;
    }

    private List<Column> randomColumns(int life) {
        return IntStream.rangeClosed(0, random.nextInt(2))
                .mapToObj(i -> randomColumn("added_" + life + "_" + i))
                .toList();
    }

    private Column randomColumn(String name) {
        if (random.nextInt(3) == 0) {
            return new Column(name, anyOf(ColumnType.all()), false);
        }
        ColumnType type = anyOf(List.copyOf(LITERALS.keySet()));
        return new Column(name, type, random.nextInt(3) == 0, LITERALS.get(type));
    }

    private <T> T anyOf(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /**
     * Does what is due.
     *
     * @param seen the replica as last read
     * @param started how many replicators were started until now; while one compares the tables of both sides, none is
     *     changed
     */
    void next(Snapshot seen, int started) {
        log.readOn(this::note);
        if (fits < started) {
            return;
        }
        for (Deque<Life> ofTable : lives) {
            Life life = ofTable.peek();
            if (life != null) {
                life.live(seen);
                if (life.next == Step.OVER) {
                    ofTable.remove();
                }
            }
        }
    }

    private void note(String line) {
        if (line.contains("both databases fit the configuration")) {
            fits++;
        } else if (line.contains(AWAITED)) {
            JsonNode event = event(line);
            String path = event.path("table").asText();
            String column = name(
                    path.substring(path.lastIndexOf('/') + 1),
                    event.path("column").asText());
            awaited.add(column);
            everAwaited.add(column);
        }
    }

    private static JsonNode event(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("not a line of a replicator's log: " + line, e);
        }
    }

    private static String name(String table, String column) {
        return table + "." + column;
    }

    /** Whether a replicator that is started now finds every column of the source at the destination. */
    boolean mayStart() {
        return lives.stream().map(Deque::peek).noneMatch(life -> life != null && life.isMissed());
    }

    /** Whether all replicators that were started have compared the tables: one may be killed, and another started. */
    boolean haveStarted(int started) {
        return fits >= started;
    }

    boolean isDone() {
        return lives.stream().allMatch(Deque::isEmpty);
    }

    /** Notes which columns were at one side alone when both were compared. */
    void compared(Rows replica, Rows source) {
        atTheSourceAlone += source.columnsWithout(replica).size();
        atTheDestinationAlone += replica.columnsWithout(source).size();
    }

    int fired() {
        return fired;
    }

    /** What the run was to meet and did not; it proves less than it says then. */
    List<String> unmet() {
        return Stream.of(
                        fired < planned ? planned - fired + " of " + planned + " ALTERs were not made" : null,
                        everAwaited.isEmpty() ? "no column was waited for" : null,
                        atTheDestinationAlone == 0 ? "no column was compared that the destination alone had" : null)
                .filter(unmet -> unmet != null)
                .toList();
    }

    @Override
    public String toString() {
        return "alters %d of %d, waited for %s, compared while at the source alone %d, at the destination alone %d"
                .formatted(fired, planned, everAwaited, atTheSourceAlone, atTheDestinationAlone);
    }
}
