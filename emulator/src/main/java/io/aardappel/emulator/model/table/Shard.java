package io.aardappel.emulator.model.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a table by key range, up to the first key of the next shard.
 *
 * @param tabletId unique in the database and never reused; changefeeds show it as {@code producer_id}
 * @param from first key or a prefix of it, null for the first shard
 */
public record Shard(long tabletId, @Nullable List<@Nullable Object> from) {}
