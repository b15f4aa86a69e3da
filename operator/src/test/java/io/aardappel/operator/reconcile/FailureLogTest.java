package io.aardappel.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.aardappel.operator.act.LeaseLostException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.OperatorException;
import java.net.ConnectException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("The line about a pass that failed")
class FailureLogTest {
    private static final HasMetadata RESOURCE = new PodBuilder()
            .withNewMetadata()
            .withNamespace("copies")
            .withName("shop")
            .withGeneration(3L)
            .endMetadata()
            .build();

    private final Logger logger = (Logger) LoggerFactory.getLogger(FailureLog.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Level before = logger.getLevel();

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(lines);
        logger.setLevel(before);
    }

    private ILoggingEvent line(Exception failure) {
        new FailureLog().failedReconciliation(RESOURCE, failure, Map.of());
        assertThat(lines.list).hasSize(1);
        return lines.list.get(0);
    }

    private static KubernetesClientException answer(int code, String message) {
        return new KubernetesClientException(
                new StatusBuilder().withCode(code).withMessage(message).build());
    }

    @Test
    void hasNoTraceWhereTheApiServerSaysWhy() {
        ILoggingEvent line = line(new OperatorException(answer(403, "forbidden: no right")));
        assertThat(line.getLevel()).isEqualTo(Level.WARN);
        assertThat(line.getFormattedMessage()).endsWith("the API server: forbidden: no right");
        assertThat(line.getThrowableProxy()).isNull();
        assertThat(line.getKeyValuePairs()).extracting(one -> one.value).containsExactly("copies", "shop", 3L);
    }

    @Test
    void warnsOfNothingWhereTheResourceIsGone() {
        ILoggingEvent line = line(answer(404, "replications \"shop\" not found"));
        assertThat(line.getLevel()).isEqualTo(Level.INFO);
        assertThat(line.getThrowableProxy()).isNull();
    }

    @Test
    void hasNoTraceWhereThereWasNoAnswer() {
        ILoggingEvent line = line(new KubernetesClientException("Operation: [patch] failed", new ConnectException()));
        assertThat(line.getFormattedMessage()).endsWith("connection refused");
        assertThat(line.getThrowableProxy()).isNull();
    }

    @Test
    void hasNoTraceOfALostLease() {
        ILoggingEvent line = line(new LeaseLostException("the lease is lost"));
        assertThat(line.getFormattedMessage()).isEqualTo("the lease is lost");
        assertThat(line.getThrowableProxy()).isNull();
    }

    @Test
    void hasATraceOfABug() {
        ILoggingEvent line = line(new IllegalStateException("never"));
        assertThat(line.getLevel()).isEqualTo(Level.WARN);
        assertThat(line.getFormattedMessage()).contains("bug", "never");
        assertThat(line.getThrowableProxy()).isNotNull();
    }
}
