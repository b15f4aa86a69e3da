package io.aardappel.emulator.model.table;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table as it was at a moment. Immutable.
 *
 * @param schema the columns that it had then
 * @param rows by key, in key order, each by column ordinal of that schema
 */
public record PastTable(TableSchema schema, Map<List<@Nullable Object>, List<@Nullable Object>> rows) {}
