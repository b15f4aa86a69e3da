package io.aardappel.emulator.model.table;

/**
 * Bounds of the server on tables and paths; sizes in bytes. Each can be lowered to see how a client copes.
 *
 * @param valueBytes one String, Utf8, Json, JsonDocument or Yson value
 * @param keyBytes all key columns of a row together
 * @param transactionBytes all that one transaction writes, keys and values
 * @param transactionRows rows that one transaction writes
 * @param nameLength characters of one path element
 * @param directoryEntries objects in one directory
 */
public record Limits(
        long valueBytes,
        long keyBytes,
        int columns,
        int keyColumns,
        long transactionBytes,
        long transactionRows,
        int pathDepth,
        int nameLength,
        int directoryEntries) {
    /** What YDB documents; its transactions have no bound on rows. */
    public static final Limits YDB =
            new Limits(8L << 20, 1L << 20, 200, 20, 128L << 20, Long.MAX_VALUE, 32, 255, 100_000);

    public Limits withValueBytes(long bytes) {
        return new Limits(
                bytes,
                keyBytes,
                columns,
                keyColumns,
                transactionBytes,
                transactionRows,
                pathDepth,
                nameLength,
                directoryEntries);
    }

    public Limits withKeyBytes(long bytes) {
        return new Limits(
                valueBytes,
                bytes,
                columns,
                keyColumns,
                transactionBytes,
                transactionRows,
                pathDepth,
                nameLength,
                directoryEntries);
    }

    public Limits withTransaction(long bytes, long rows) {
        return new Limits(
                valueBytes, keyBytes, columns, keyColumns, bytes, rows, pathDepth, nameLength, directoryEntries);
    }
}
