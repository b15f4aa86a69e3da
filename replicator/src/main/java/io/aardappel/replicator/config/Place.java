package io.aardappel.replicator.config;

import org.yaml.snakeyaml.nodes.Node;

/** A spot in the file, counted from 1. */
record Place(int line, int column) {
    /** Of a key that is not there. */
    static final Place NONE = new Place(0, 0);

    static Place of(Node node) {
        return new Place(node.getStartMark().getLine() + 1, node.getStartMark().getColumn() + 1);
    }
}
