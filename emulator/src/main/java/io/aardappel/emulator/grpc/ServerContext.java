package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.query.QueryEngine;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What every service gets.
 *
 * @param nodeId number of this node, as sessions, endpoints and partitions name it
 * @param workers for work that may wait; bounded in threads
 * @param timer for short tasks at a later time; never block it
 */
public record ServerContext(
        Databases databases,
        QueryEngine engine,
        Faults faults,
        ServerLimits limits,
        Accounts accounts,
        Sessions sessions,
        Streams streams,
        int nodeId,
        Executor workers,
        ScheduledExecutorService timer) {
    /** Adds what belongs to the server alone: sessions and streams. */
    public static ServerContext create(
            int nodeId,
            Databases databases,
            QueryEngine engine,
            Faults faults,
            ServerLimits limits,
            Accounts accounts,
            Executor workers,
            ScheduledExecutorService timer) {
        Sessions sessions = new Sessions(limits, nodeId, System::nanoTime);
        return new ServerContext(
                databases, engine, faults, limits, accounts, sessions, new Streams(), nodeId, workers, timer);
    }
}
