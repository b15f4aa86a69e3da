package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the changes of one ALTER TABLE come to, computed and checked before any of them takes effect. */
record TableAlteration(
        Layout layout,
        TableSpec.Partitioning partitioning,
        Declarations declarations,
        List<TableSpec.ChangefeedSpec> feedsAdded,
        Set<String> feedsRemoved) {
    static TableAlteration of(StoredTable table, List<TableSpec.Change> changes, Limits limits) {
        Layout layout = table.layout();
        TableSpec.Partitioning partitioning = table.partitioning();
        Declarations declarations = table.declarations();
        List<TableSpec.ChangefeedSpec> added = new ArrayList<>();
        Set<String> removed = new HashSet<>();
        for (TableSpec.Change change : changes) {
            if (change instanceof TableSpec.Change.AddColumn add) {
                layout = TablePlan.withColumn(layout, add.column(), limits);
            } else if (change instanceof TableSpec.Change.DropColumn drop) {
                layout = TablePlan.withoutColumn(layout, drop.name());
            } else if (change instanceof TableSpec.Change.AddChangefeed add) {
                added.add(add.changefeed());
            } else if (change instanceof TableSpec.Change.DropChangefeed drop) {
                requireFeed(table, drop.name());
                removed.add(drop.name());
            } else if (change instanceof TableSpec.Change.SetPartitioning set) {
                partitioning = partitioning.overlaid(set.partitioning());
            } else {
                declarations = declared(declarations, change);
            }
        }
        declarations.check(layout.schema());
        return new TableAlteration(layout, partitioning, declarations, added, removed);
    }

    private static Declarations declared(Declarations declarations, TableSpec.Change change) {
        if (change instanceof TableSpec.Change.AddIndex add) {
            return declarations.with(add.index());
        }
        if (change instanceof TableSpec.Change.DropIndex drop) {
            return declarations.without(drop.name());
        }
        if (change instanceof TableSpec.Change.RenameIndex rename) {
            return declarations.renamed(rename.from(), rename.to(), rename.replace());
        }
        if (change instanceof TableSpec.Change.SetTtl set) {
            return declarations.withTtl(set.ttl());
        }
        throw new IllegalStateException("unknown change " + change);
    }

    private static void requireFeed(StoredTable table, String name) {
        if (!table.feeds.containsKey(name)) {
            throw new YdbException(
                    Status.SCHEME_ERROR, Issue.of(Issue.SCHEME, "Path does not exist: " + table.path() + "/" + name));
        }
    }
}
