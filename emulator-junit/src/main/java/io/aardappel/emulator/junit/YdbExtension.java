package io.aardappel.emulator.junit;

import io.aardappel.emulator.YdbEmulator;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstantiationAwareExtension;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts an emulator when a test first asks for it and stops it when the class or test ends. Use it by {@link WithYdb}. */
public final class YdbExtension implements ParameterResolver, TestInstantiationAwareExtension {
    private static final Namespace NAMESPACE = Namespace.create(YdbExtension.class);

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == YdbEmulator.class || (type == String.class && parameter.isAnnotated(YdbConnectionString.class));
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        YdbEmulator emulator = emulator(context);
        Optional<YdbConnectionString> wanted = parameter.findAnnotation(YdbConnectionString.class);
        if (wanted.isEmpty()) {
            return emulator;
        }
        String database = wanted.get().value();
        return database.isEmpty() ? emulator.connectionString() : emulator.connectionString(database);
    }

    private static YdbEmulator emulator(ExtensionContext context) {
        WithYdb settings = settings(context);
        ExtensionContext owner = settings.lifetime() == WithYdb.Lifetime.TEST ? context : annotated(context);
        return owner.getStore(NAMESPACE)
                .computeIfAbsent(YdbEmulator.class, missing -> start(settings), YdbEmulator.class);
    }

    /** The store closes what it holds, last first, when its context ends. */
    private static YdbEmulator start(WithYdb settings) {
        YdbEmulator.Builder builder = YdbEmulator.builder().seed(settings.seed());
        for (String database : settings.databases()) {
            builder.database(database);
        }
        if (settings.retainHistory()) {
            builder.retainHistory();
        }
        return builder.start();
    }

    private static WithYdb settings(ExtensionContext context) {
        return find(context)
                .orElseThrow(() -> new ExtensionConfigurationException(
                        context.getDisplayName() + " uses YdbExtension without @WithYdb on the class"));
    }

    private static Optional<WithYdb> find(ExtensionContext context) {
        return context.getTestClass()
                .flatMap(type ->
                        AnnotationSupport.findAnnotation(type, WithYdb.class, context.getEnclosingTestClasses()));
    }

    /** The outermost class that has the annotation: nested classes share its emulator. */
    private static ExtensionContext annotated(ExtensionContext context) {
        ExtensionContext outermost = context;
        for (Optional<ExtensionContext> parent = Optional.of(context);
                parent.isPresent();
                parent = parent.get().getParent()) {
            if (parent.get().getElement().filter(Class.class::isInstance).isPresent()
                    && find(parent.get()).isPresent()) {
                outermost = parent.get();
            }
        }
        return outermost;
    }
}
