package io.aardappel.emulator;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that stop and listen again at the same address, or that another process opens.
 *
 * <p>A port that the system picks lies in the range from which it serves outgoing connections too: while nothing listens
 * there, any of them may take it, and a client that tries again and again to reach it may end up connected to itself.
 * These lie below that range on Linux (from 32768), macOS and Windows (from 49152).
 */
public final class LastingPort {
    private static final int FIRST = 20_000;
    private static final int BEYOND = 32_000;
    private static final int ATTEMPTS = 1_000;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private LastingPort() {}

    /**
     * One on which nothing listens now, and which this process was not given before. Thread-safe.
     *
     * @throws IllegalStateException if there seems to be none
     */
    public static int free() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, BEYOND);
            if (GIVEN.add(port) && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port found between " + FIRST + " and " + BEYOND);
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
