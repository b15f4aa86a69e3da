package io.aardappel.replicator.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** What engines log of thousands of disturbed runs is of no use to anybody. */
final class EngineLog {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.aardappel.replicator.engine");

    private EngineLog() {}

    static void off() {
        LOGGER.setLevel(Level.OFF);
    }

    static void on() {
        LOGGER.setLevel(null);
    }
}
