package io.aardappel.replicator.codec;

/**
 * What a decoded change costs in memory: objects around the cells by count, their contents by the bytes they had in the
 * message. An upper estimate, except for text that mixes scripts, which may cost up to twice its message bytes.
 */
final class MemoryCost {
    /** Change, position, key, columns, their arrays' headers and the place in a buffer. */
    private static final int RECORD = 240;

    /** Reference, ordinal and the cell's object header and fields. */
    private static final int CELL = 40;

    private MemoryCost() {}

    static int of(int cells, int contentBytes) {
        return RECORD + CELL * cells + contentBytes;
    }
}
