package io.aardappel.operator.reconcile;

import io.aardappel.access.failure.Cause;
import io.aardappel.operator.act.LeaseLostException;
import io.aardappel.operator.act.Refusal;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Tells of each pass that failed, in one line; with a trace only where nobody expected the cause. The SDK's own line, with
 * a trace each time, is left out of the log. Thread-safe.
 */
public final class FailureLog implements Metrics {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    @Override
    public void failedReconciliation(HasMetadata resource, Exception failure, Map<String, Object> metadata) {
        Optional<KubernetesClientException> answer = answer(failure);
        if (answer.isPresent()) {
            boolean passing =
                    answer.get().getCode() == NOT_FOUND || answer.get().getCode() == CONFLICT;
            about(resource, passing ? Level.INFO : Level.WARN)
                    .log(
                            passing
                                    ? "the resource or an object of it has changed or gone meanwhile: {}"
                                    : "a pass over the resource failed and is tried again; the API server: {}",
                            Refusal.words(answer.get()));
        } else if (failure instanceof LeaseLostException) {
            about(resource, Level.WARN).log("{}", failure.getMessage());
        } else {
            about(resource, Level.WARN)
                    .setCause(failure)
                    .log("a pass over the resource failed by a bug and is tried again: {}", Cause.of(failure));
        }
    }

    private static LoggingEventBuilder about(HasMetadata resource, Level level) {
        return LOG.atLevel(level)
                .addKeyValue("namespace", resource.getMetadata().getNamespace())
                .addKeyValue("name", resource.getMetadata().getName())
                .addKeyValue("generation", resource.getMetadata().getGeneration());
    }

    /** The SDK wraps some. */
    private static Optional<KubernetesClientException> answer(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof KubernetesClientException answer
                ? Optional.of(answer)
                : cause instanceof KubernetesClientException answer ? Optional.of(answer) : Optional.empty();
    }
}
