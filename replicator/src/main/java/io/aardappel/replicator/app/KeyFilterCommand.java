package io.aardappel.replicator.app;

import com.google.protobuf.ByteString;
import io.aardappel.replicator.codec.KeyText;
import io.aardappel.replicator.codec.RawKey;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.StreamConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.ydb.target.Answer;
import io.aardappel.replicator.ydb.target.BlockedKeyTable;
import io.aardappel.replicator.ydb.target.BlockedKeyTable.Outcome;
import io.aardappel.replicator.ydb.target.BlockedKeys;
import io.aardappel.replicator.ydb.target.RowLookup;
import io.aardappel.replicator.ydb.target.TargetSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/replicator key-filter}. Talks to the destination only. */
@Command(name = "key-filter", description = "Lists, adds or removes keys of rows that are left out.")
final class KeyFilterCommand extends TerminalCommand {
    private static final String TABLE = "The stream's dst_table, spelled as in the file.";
    private static final String KEY =
            "The row's key as a JSON array, each element as the feed writes it, such as '[\"tea\",7]'. May be repeated.";

    /** What is done with the table of blocked keys. */
    private interface Act {
        /** @param tables where the destination's other tables are looked at */
        ExitCode on(BlockedKeyTable table, RowLookup tables);
    }

    @Command(name = "list", description = "Prints the blocked keys of the instance. Changes nothing.")
    int list() {
        return withKeys(config -> Optional.of((found, tables) -> tell(config, found.list())));
    }

    @Command(
            name = "add",
            description = "Blocks keys: a running replicator leaves their records out within key_filter_interval.")
    int add(
            @Option(names = "--table", required = true, paramLabel = "TABLE", description = TABLE) String table,
            @Option(names = "--key", required = true, paramLabel = "JSON", description = KEY) List<String> keys) {
        return withKeys(config -> bytes(config, table, keys)
                .map(all -> (found, tables) ->
                        refusal(config, table, keys, tables).orElseGet(() -> tell(config, found.add(all)))));
    }

    @Command(name = "remove", description = "Unblocks keys. What was left out meanwhile is not brought in.")
    int remove(
            @Option(names = "--table", required = true, paramLabel = "TABLE", description = TABLE) String table,
            @Option(names = "--key", required = true, paramLabel = "JSON", description = KEY) List<String> keys) {
        return withKeys(config ->
                bytes(config, table, keys).map(all -> (found, tables) -> tellRemoved(config, all, found.remove(all))));
    }

    /** One that was written otherwise than it is blocked stays blocked, which somebody must see. */
    private ExitCode tellRemoved(ReplicatorConfig config, List<ByteString> wanted, Outcome outcome) {
        if (!(outcome instanceof Outcome.Done done)) {
            return tell(config, outcome);
        }
        for (ByteString key : wanted) {
            out().print(done.keys().contains(key) ? "removed: " : "was not blocked: ");
            print(config, key);
        }
        return ExitCode.REQUESTED;
    }

    /** Empty after a complaint. */
    private Optional<List<ByteString>> bytes(ReplicatorConfig config, String table, List<String> keys) {
        List<String> tables =
                config.streams().stream().map(StreamConfig::destinationTable).toList();
        if (!tables.contains(table)) {
            out().println("nothing was changed: no stream has dst_table " + table + "; the file spells them "
                    + tables.stream().distinct().collect(Collectors.joining(", ")));
            return Optional.empty();
        }
        List<ByteString> all = new ArrayList<>();
        for (String key : keys) {
            Optional<byte[]> bytes = RawKey.ofKey(table, key);
            if (bytes.isEmpty()) {
                out().println("nothing was changed: " + key + " is no JSON array; write it like '[\"tea\",7]'");
                return Optional.empty();
            }
            all.add(ByteString.copyFrom(bytes.get()));
        }
        return Optional.of(all);
    }

    /** A key that no row can have would sit in the table and block nothing. Such a one may well be removed. */
    private Optional<ExitCode> refusal(ReplicatorConfig config, String table, List<String> keys, RowLookup tables) {
        String path = config.streams().stream()
                .filter(stream -> stream.destinationTable().equals(table))
                .findFirst()
                .orElseThrow()
                .destinationTablePath();
        Answer<TableShape> answer = tables.shape(path);
        if (answer instanceof Answer.Unreadable<TableShape> unreadable) {
            out().println("nothing was changed: what keys it has cannot be seen of " + unreadable.why()
                    + "; see that the destination table is there and may be described");
            return Optional.of(ExitCode.PREFLIGHT);
        }
        TableShape shape = ((Answer.Read<TableShape>) answer).value();
        for (String key : keys) {
            Optional<String> misfit = KeyText.misfit(shape, key);
            if (misfit.isPresent()) {
                out().println("nothing was changed: " + key + " is no key of " + path + ", whose key is "
                        + KeyText.columns(shape) + ": " + misfit.get()
                        + "; write each element as the feed does: numbers bare, String in base64, dates as text");
                return Optional.of(ExitCode.CONFIGURATION);
            }
        }
        return Optional.empty();
    }

    /** What is to be done by the configuration; empty after a complaint. */
    private interface Plan {
        Optional<Act> of(ReplicatorConfig config);
    }

    private int withKeys(Plan plan) {
        return with(config -> {
            if (config.keyFilterPath().isEmpty()) {
                out().println("the file has no key_filter.table_path; name the table of blocked keys there");
                return ExitCode.CONFIGURATION;
            }
            return plan.of(config)
                    .map(act -> perform(config, config.keyFilterPath().get(), act))
                    .orElse(ExitCode.CONFIGURATION);
        });
    }

    private ExitCode perform(ReplicatorConfig config, String path, Act act) {
        BlockedKeys.Source source = new BlockedKeys.Source(
                path, config.instanceId(), config.tuning().get(Tuning.KEY_FILTER_INTERVAL));
        return atDestination(config, transport -> {
            TargetSettings settings = Replication.targetSettings(config);
            try (BlockedKeyTable table = new BlockedKeyTable(transport, source, settings);
                    RowLookup tables = new RowLookup(transport, settings)) {
                return act.on(table, tables);
            }
        });
    }

    private ExitCode tell(ReplicatorConfig config, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            out().println(failed.why() + "; see that key_filter.table_path names the table of blocked keys, and that"
                    + " this user may use it");
            return ExitCode.PREFLIGHT;
        }
        List<ByteString> keys = ((Outcome.Done) outcome).keys();
        keys.forEach(key -> print(config, key));
        if (keys.isEmpty()) {
            out().println("no blocked keys");
        }
        return ExitCode.REQUESTED;
    }

    /** The elements cannot be told apart again, but the table can. */
    private void print(ReplicatorConfig config, ByteString key) {
        String text = key.substring(Math.min(1, key.size())).toStringUtf8();
        String line = config.streams().stream()
                .map(StreamConfig::destinationTable)
                .filter(text::startsWith)
                .max(Comparator.comparingInt(String::length))
                .map(table -> table + "  " + text.substring(table.length()))
                .orElse("of no stream  " + text);
        out().println(line);
    }
}
