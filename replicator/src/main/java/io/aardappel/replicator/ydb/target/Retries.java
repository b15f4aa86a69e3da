package io.aardappel.replicator.ydb.target;

import tech.ydb.core.Result;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * Single calls that commit, tried again a few times where the server says that nothing was done, all within one call's
 * time limit for each try. One thread only.
 */
final class Retries {
    private final TableSession session;
    private final TargetSettings settings;

    Retries(TableSession session, TargetSettings settings) {
        this.session = session;
        this.settings = settings;
    }

    Result<ExecuteQueryResult> run(Call call) {
        Backoff backoff = new Backoff(settings.pauseMin(), settings.pauseMax());
        int tries = 1;
        Result<ExecuteQueryResult> result = once(call);
        while (!result.isSuccess()
                && tries < settings.callTries()
                && Failure.ofCommit(result.getStatus().getCode()) == Failure.TRANSIENT) {
            backoff.pause();
            result = once(call);
            tries++;
        }
        return result;
    }

    private Result<ExecuteQueryResult> once(Call call) {
        return session.execute(call.text(), call.parameters(), TableSession.beginAndCommit(), settings.callTimeout());
    }
}
