package io.aardappel.replicator.engine;

/** A source's event with the lock term it belongs to: what an ended term left on its way is recognised and dropped. */
record TermEvent(long term, Event event) implements Event {}
