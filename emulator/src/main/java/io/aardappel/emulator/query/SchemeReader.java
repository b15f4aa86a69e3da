package io.aardappel.emulator.query;

import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.syntax.Statement;
import io.aardappel.emulator.query.value.LiteralFit;
import io.aardappel.emulator.query.value.TypeNames;
import io.aardappel.emulator.query.value.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes schema statements of parse trees. Whether what they ask for is possible is for the model to say. */
final class SchemeReader {
    private final TablePaths paths;
    private final ExpressionReader expressions;
    private final Settings settings;
    private final TopicReader topics;

    SchemeReader(TablePaths paths, ExpressionReader expressions) {
        this.paths = paths;
        this.expressions = expressions;
        this.settings = new Settings(expressions);
        this.topics = new TopicReader(paths, settings);
    }

    Statement read(YqlParser.StatementContext tree) {
        if (tree.createTable() != null) {
            return createTable(tree.createTable());
        }
        if (tree.alterTable() != null) {
            return alterTable(tree.alterTable());
        }
        if (tree.dropTable() != null) {
            YqlParser.DropTableContext drop = tree.dropTable();
            return new Statement.DropTable(Names.at(drop), path(drop.path()), drop.EXISTS() != null);
        }
        return topics.read(tree);
    }

    private String path(YqlParser.PathContext tree) {
        return paths.absolute(Names.name(tree.name()));
    }

    private Statement createTable(YqlParser.CreateTableContext tree) {
        List<Column> columns = new ArrayList<>();
        List<String> primaryKey = new ArrayList<>();
        List<TableSpec.ChangefeedSpec> changefeeds = new ArrayList<>();
        for (YqlParser.TableItemContext item : tree.tableItem()) {
            if (item instanceof YqlParser.ColumnItemContext column) {
                columns.add(column(column.columnDefinition()));
            } else if (item instanceof YqlParser.PrimaryKeyItemContext key) {
                primaryKey.addAll(Names.names(key.names()));
            } else if (item instanceof YqlParser.ChangefeedItemContext feed) {
                changefeeds.add(changefeed(feed.name(), feed.settings()));
            } else if (item instanceof YqlParser.IndexItemContext index) {
                throw noIndex(Names.at(index));
            }
        }
        if (primaryKey.isEmpty()) {
            throw Names.at(tree).error("Primary key is required for ydb tables.");
        }
        TableSpec.Partitioning partitioning =
                new PartitioningReader(columns, primaryKey).read(settings.read(tree.settings()));
        TableSpec spec = new TableSpec(path(tree.path()), columns, primaryKey, partitioning, changefeeds, Map.of());
        return new Statement.CreateTable(Names.at(tree), spec, tree.EXISTS() != null);
    }

    private static RuntimeException noIndex(Position at) {
        return at.error("Secondary indexes are not supported by this server");
    }

    private Column column(YqlParser.ColumnDefinitionContext tree) {
        String name = Names.name(tree.name());
        Type.Primitive serial = TypeNames.serial(tree.typeName().getText());
        Type type = serial != null ? serial : TypeReader.read(tree.typeName());
        if (!(type.unwrapped() instanceof Type.Primitive) && !(type.unwrapped() instanceof Type.Decimal)) {
            throw Names.at(tree).error("Invalid type for column: " + name + " cannot be " + Types.show(type));
        }
        boolean notNull = serial != null;
        Object defaultValue = null;
        for (YqlParser.ColumnOptionContext option : tree.columnOption()) {
            if (option instanceof YqlParser.NotNullOptionContext) {
                notNull = true;
            } else if (option instanceof YqlParser.DefaultOptionContext byDefault) {
                defaultValue = defaultValue(name, type.unwrapped(), expressions.read(byDefault.expression()));
            }
        }
        return new Column(name, type.unwrapped(), notNull, defaultValue, serial != null);
    }

    private static @Nullable Object defaultValue(String column, Type type, Expression expression) {
        if (!(expression instanceof Expression.Literal literal)) {
            throw expression.at().error("Default value of column " + column + " must be a literal");
        }
        if (literal.value() == null) {
            return null;
        }
        Object value = LiteralFit.fit(literal.type(), literal.value(), type);
        if (value == null) {
            throw expression
                    .at()
                    .error("Default expression type mismatch for column: " + column + ", expected: " + type
                            + ", actual: " + literal.type());
        }
        return value;
    }

    private TableSpec.ChangefeedSpec changefeed(YqlParser.NameContext name, YqlParser.SettingsContext with) {
        return ChangefeedReader.read(Names.at(name), Names.name(name), settings.read(with));
    }

    private Statement alterTable(YqlParser.AlterTableContext tree) {
        List<TableSpec.Change> changes =
                tree.tableChange().stream().map(this::change).toList();
        return new Statement.AlterTable(Names.at(tree), path(tree.path()), changes);
    }

    private TableSpec.Change change(YqlParser.TableChangeContext tree) {
        if (tree instanceof YqlParser.AddColumnContext add) {
            return new TableSpec.Change.AddColumn(column(add.columnDefinition()));
        }
        if (tree instanceof YqlParser.DropColumnContext drop) {
            return new TableSpec.Change.DropColumn(Names.name(drop.name()));
        }
        if (tree instanceof YqlParser.AddChangefeedContext add) {
            return new TableSpec.Change.AddChangefeed(changefeed(add.name(), add.settings()));
        }
        if (tree instanceof YqlParser.DropChangefeedContext drop) {
            return new TableSpec.Change.DropChangefeed(Names.name(drop.name()));
        }
        if (tree instanceof YqlParser.SetSettingsContext set) {
            return new TableSpec.Change.SetPartitioning(
                    new PartitioningReader(List.of(), List.of()).read(settings.read(set.settings())));
        }
        throw unsupported(tree);
    }

    private static RuntimeException unsupported(YqlParser.TableChangeContext tree) {
        if (tree instanceof YqlParser.RenameTableContext) {
            return Names.at(tree).error("ALTER TABLE RENAME TO is not supported");
        }
        if (tree instanceof YqlParser.ResetSettingsContext) {
            return Names.at(tree).error("ALTER TABLE RESET is not supported");
        }
        return noIndex(Names.at(tree));
    }

    /** How a table is cut into shards; keys in PARTITION_AT_KEYS get the types of the key columns. */
    private record PartitioningReader(List<Column> columns, List<String> primaryKey) {
        TableSpec.Partitioning read(List<Settings.Setting> settings) {
            TableSpec.Partitioning p = TableSpec.Partitioning.ONE;
            int uniform = p.uniform();
            List<List<@Nullable Object>> atKeys = p.atKeys();
            Boolean bySize = p.bySize();
            Boolean byLoad = p.byLoad();
            long sizeMb = p.sizeMb();
            long min = p.minPartitions();
            long max = p.maxPartitions();
            for (Settings.Setting setting : settings) {
                switch (setting.key()) {
                    case "uniform_partitions" -> uniform = setting.positive();
                    case "partition_at_keys" -> atKeys = keys(setting);
                    case "auto_partitioning_by_size" -> bySize = setting.enabled();
                    case "auto_partitioning_by_load" -> byLoad = setting.enabled();
                    case "auto_partitioning_partition_size_mb" -> sizeMb = setting.positive();
                    case "auto_partitioning_min_partitions_count" -> min = setting.positive();
                    case "auto_partitioning_max_partitions_count" -> max = setting.positive();
                    case "key_bloom_filter" -> setting.enabled();
                    case "store" -> requireRows(setting);
                    default -> setting.refuse("Unknown table setting: " + setting.name());
                }
            }
            return new TableSpec.Partitioning(uniform, atKeys, bySize, byLoad, sizeMb, min, max);
        }

        private static void requireRows(Settings.Setting setting) {
            if (!setting.word().equalsIgnoreCase("ROW")) {
                setting.refuse("STORE = " + setting.word() + " is not supported: tables are row-oriented here");
            }
        }

        private List<List<@Nullable Object>> keys(Settings.Setting setting) {
            List<List<@Nullable Object>> keys = new ArrayList<>();
            for (Expression value : setting.values()) {
                List<Expression> parts = value instanceof Expression.Tuple tuple ? tuple.items() : List.of(value);
                List<@Nullable Object> key = new ArrayList<>();
                for (int i = 0; i < parts.size(); i++) {
                    key.add(keyPart(i, parts.get(i)));
                }
                keys.add(key);
            }
            return keys;
        }

        private @Nullable Object keyPart(int index, Expression part) {
            if (index >= primaryKey.size()) {
                throw part.at().error("PARTITION_AT_KEYS has more values than the key has columns");
            }
            String name = primaryKey.get(index);
            Column column = columns.stream()
                    .filter(candidate -> candidate.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> part.at().error("Key column " + name + " is not a column of the table"));
            if (!(part instanceof Expression.Literal literal)) {
                throw part.at().error("PARTITION_AT_KEYS takes literals");
            }
            if (literal.value() == null) {
                return null;
            }
            Object value = LiteralFit.fit(literal.type(), Objects.requireNonNull(literal.value()), column.type());
            if (value == null) {
                throw part.at()
                        .error("Value in PARTITION_AT_KEYS does not fit column " + name + " of type " + column.type());
            }
            return value;
        }
    }
}
