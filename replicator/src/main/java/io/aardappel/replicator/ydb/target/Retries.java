package io.aardappel.replicator.ydb.target;

import java.time.Duration;
import tech.ydb.core.Result;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * Single calls that may be made twice without harm, tried again a few times: by the loop within the time limit of one call,
 * since a lock ends meanwhile; for a person with that limit for each. One thread only.
 */
final class Retries {
    private final TableSession session;
    private final TargetSettings settings;
    private final Duration altogether;

    Retries(TableSession session, TargetSettings settings) {
        this(session, settings, settings.callTimeout());
    }

    private Retries(TableSession session, TargetSettings settings, Duration altogether) {
        this.session = session;
        this.settings = settings;
        this.altogether = altogether;
    }

    /** Those of a command that a person gave: one answer that does not come in time is not the end of it. */
    static Retries forAPerson(TableSession session, TargetSettings settings) {
        Duration each = settings.callTimeout().plus(settings.pauseMax());
        return new Retries(session, settings, each.multipliedBy(settings.callTries()));
    }

    Result<ExecuteQueryResult> run(Call call) {
        long end = System.nanoTime() + altogether.toNanos();
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
            result = once(call, left.compareTo(settings.callTimeout()) < 0 ? left : settings.callTimeout());
            tries++;
        }
        return result;
    }

    private Result<ExecuteQueryResult> once(Call call, Duration timeout) {
        return session.execute(call.text(), call.parameters(), TableSession.beginAndCommit(), timeout);
    }
}
