package io.aardappel.kube.junit;

import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Starts the server when a test first asks for it and stops it after the last test. Use it by {@link WithKubeApiServer}. */
public final class KubeApiServerExtension implements ExecutionCondition, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(KubeApiServerExtension.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        ServerPrograms programs = context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(ServerPrograms.class, unasked -> ServerPrograms.find(), ServerPrograms.class);
        return condition(programs, "true".equals(System.getenv("CI")));
    }

    /** In CI nothing is skipped: the start then fails, and says what is missing. */
    static ConditionEvaluationResult condition(ServerPrograms programs, boolean ci) {
        return programs.missing()
                .filter(missing -> !ci)
                .map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("the API server can be started, or must be"));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == KubeApiServer.class || type == KubernetesClient.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        KubeApiServer server = context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(KubeApiServer.class, missing -> KubeApiServer.start(), KubeApiServer.class);
        return parameter.getParameter().getType() == KubeApiServer.class ? server : server.client();
    }
}
