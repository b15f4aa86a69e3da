package io.aardappel.replicator.ydb.target;

import java.time.Duration;
import tech.ydb.core.Result;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * Single calls that may be made twice without harm, tried again a few times within the time limit of one call. One thread
 * only.
 */
final class Retries {
    private final TableSession session;
    private final TargetSettings settings;

    Retries(TableSession session, TargetSettings settings) {
        this.session = session;
        this.settings = settings;
    }

    Result<ExecuteQueryResult> run(Call call) {
        long end = System.nanoTime() + settings.callTimeout().toNanos();
        Backoff backoff = new Backoff(settings.pauseMin(), settings.pauseMax());
        int tries = 1;
        Result<ExecuteQueryResult> result = once(call, settings.callTimeout());
        while (!result.isSuccess()
                && tries < settings.callTries()
                && Failure.ofCommit(result.getStatus().getCode()) != Failure.PERMANENT) {
            backoff.pause();
            Duration left = Duration.ofNanos(end - System.nanoTime());
            if (left.isNegative()) {
                return result;
            }
            result = once(call, left);
            tries++;
        }
        return result;
    }

    private Result<ExecuteQueryResult> once(Call call, Duration timeout) {
        return session.execute(call.text(), call.parameters(), TableSession.beginAndCommit(), timeout);
    }
}
