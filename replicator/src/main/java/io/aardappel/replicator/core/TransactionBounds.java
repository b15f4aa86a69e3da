package io.aardappel.replicator.core;

/**
 * How large one transaction may be.
 *
 * @param targetRows it is cut at or below this many changes
 * @param targetBytes and at or below this many bytes, as changes count them
 * @param hardRows one position alone may have up to this many changes
 * @param hardBytes and up to this many bytes
 */
public record TransactionBounds(int targetRows, long targetBytes, int hardRows, long hardBytes) {
    public static final TransactionBounds DEFAULT = new TransactionBounds(10_000, 8L << 20, 100_000, 45L << 20);
}
