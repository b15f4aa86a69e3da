package io.aardappel.emulator.query;

import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.Declarations;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Statement;
import io.aardappel.emulator.query.value.LiteralFit;
import io.aardappel.emulator.query.value.TypeNames;
import io.aardappel.emulator.query.value.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        List<Declarations.Index> indexes = new ArrayList<>();
        for (YqlParser.TableItemContext item : tree.tableItem()) {
            if (item instanceof YqlParser.ColumnItemContext column) {
                columns.add(column(column.columnDefinition()));
            } else if (item instanceof YqlParser.PrimaryKeyItemContext key) {
                primaryKey.addAll(Names.names(key.names()));
            } else if (item instanceof YqlParser.ChangefeedItemContext feed) {
                changefeeds.add(changefeed(feed.name(), feed.settings()));
            } else if (item instanceof YqlParser.IndexItemContext index) {
                indexes.add(index(index.name(), index.indexKind(), index.names(), index.settings()));
            }
        }
        if (primaryKey.isEmpty()) {
            throw Names.at(tree).error("Primary key is required for ydb tables.");
        }
        TableSettings with = new TableSettings(columns, primaryKey);
        settings.read(tree.settings()).forEach(with::take);
        TableSpec spec = new TableSpec(
                path(tree.path()),
                columns,
                primaryKey,
                with.partitioning(),
                changefeeds,
                Map.of(),
                new Declarations(indexes, with.ttl()));
        return new Statement.CreateTable(Names.at(tree), spec, tree.EXISTS() != null);
    }

    /** @param columns those of the index, then those that it covers, if any */
    private static Declarations.Index index(
            YqlParser.NameContext name,
            List<YqlParser.IndexKindContext> kinds,
            List<YqlParser.NamesContext> columns,
            YqlParser.@Nullable SettingsContext with) {
        Declarations.Index.Kind kind = Declarations.Index.Kind.GLOBAL;
        for (YqlParser.IndexKindContext word : kinds) {
            if (word.UNIQUE() != null || word.USING() != null) {
                // Rows would be accepted that YDB refuses, or found in another way.
                throw Names.at(word).error("UNIQUE and USING of an index are not supported");
            }
            if (word.ASYNC() != null) {
                kind = Declarations.Index.Kind.GLOBAL_ASYNC;
            }
        }
        if (with != null) {
            throw Names.at(with).error("Settings of an index are not supported");
        }
        List<String> covered = columns.size() > 1 ? Names.names(columns.get(1)) : List.of();
        return new Declarations.Index(Names.name(name), kind, Names.names(columns.get(0)), covered);
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
        List<TableSpec.Change> changes = new ArrayList<>();
        for (YqlParser.TableChangeContext change : tree.tableChange()) {
            if (change instanceof YqlParser.SetSettingsContext set) {
                TableSettings with = new TableSettings(List.of(), List.of());
                settings.read(set.settings()).forEach(with::take);
                with.addChanges(changes);
            } else {
                changes.add(change(change));
            }
        }
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
        if (tree instanceof YqlParser.AddIndexContext add) {
            return new TableSpec.Change.AddIndex(index(add.name(), add.indexKind(), add.names(), add.settings()));
        }
        if (tree instanceof YqlParser.DropIndexContext drop) {
            return new TableSpec.Change.DropIndex(Names.name(drop.name()));
        }
        if (tree instanceof YqlParser.RenameIndexContext rename) {
            return new TableSpec.Change.RenameIndex(Names.name(rename.name(0)), Names.name(rename.name(1)), false);
        }
        if (tree instanceof YqlParser.ResetSettingsContext reset) {
            return reset(reset);
        }
        throw Names.at(tree).error("ALTER TABLE RENAME TO is not supported");
    }

    private static TableSpec.Change reset(YqlParser.ResetSettingsContext tree) {
        List<String> names = Names.names(tree.names());
        if (names.size() != 1 || !names.get(0).equalsIgnoreCase("ttl")) {
            throw Names.at(tree).error("RESET is supported for TTL alone");
        }
        return new TableSpec.Change.SetTtl(null);
    }
}
