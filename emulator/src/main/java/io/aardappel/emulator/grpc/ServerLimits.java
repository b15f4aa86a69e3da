package io.aardappel.emulator.grpc;

import java.time.Duration;

/**
 * What the server allows. The defaults are those that YDB documents; tests lower them to meet them sooner.
 *
 * @param queryTextBytes text of one query, in bytes of UTF-8
 * @param parametersBytes parameters of one query, as they come over the wire
 * @param resultBytes result of one data query
 * @param resultRows rows of one result set of ExecuteDataQuery; more are cut off and the set marked as truncated
 * @param partBytes about how large one part of a streamed result becomes
 * @param sessions of the whole process
 * @param transactionsPerSession open at one time
 * @param sessionIdle a session unused for so long is deleted
 * @param callsInFlight further calls are answered OVERLOADED
 */
public record ServerLimits(
        int queryTextBytes,
        int parametersBytes,
        int resultBytes,
        int resultRows,
        int partBytes,
        int sessions,
        int transactionsPerSession,
        Duration sessionIdle,
        int callsInFlight) {
    public static final ServerLimits DEFAULT =
            new ServerLimits(10 << 10, 50 << 20, 50 << 20, 1_000, 1 << 20, 1_000, 10, Duration.ofMinutes(5), 4_096);

    public ServerLimits withQueryTextBytes(int value) {
        return new ServerLimits(
                value,
                parametersBytes,
                resultBytes,
                resultRows,
                partBytes,
                sessions,
                transactionsPerSession,
                sessionIdle,
                callsInFlight);
    }

    public ServerLimits withParametersBytes(int value) {
        return new ServerLimits(
                queryTextBytes,
                value,
                resultBytes,
                resultRows,
                partBytes,
                sessions,
                transactionsPerSession,
                sessionIdle,
                callsInFlight);
    }

    public ServerLimits withResultBytes(int value) {
        return new ServerLimits(
                queryTextBytes,
                parametersBytes,
                value,
                resultRows,
                partBytes,
                sessions,
                transactionsPerSession,
                sessionIdle,
                callsInFlight);
    }

    public ServerLimits withResultRows(int value) {
        return new ServerLimits(
                queryTextBytes,
                parametersBytes,
                resultBytes,
                value,
                partBytes,
                sessions,
                transactionsPerSession,
                sessionIdle,
                callsInFlight);
    }

    public ServerLimits withSessions(int value) {
        return new ServerLimits(
                queryTextBytes,
                parametersBytes,
                resultBytes,
                resultRows,
                partBytes,
                value,
                transactionsPerSession,
                sessionIdle,
                callsInFlight);
    }

    public ServerLimits withSessionIdle(Duration value) {
        return new ServerLimits(
                queryTextBytes,
                parametersBytes,
                resultBytes,
                resultRows,
                partBytes,
                sessions,
                transactionsPerSession,
                value,
                callsInFlight);
    }
}
