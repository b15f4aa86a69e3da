package io.aardappel.e2e.snapshot;

import io.aardappel.e2e.KeptFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Makes the scene of a test when it is first asked for; the store closes it when the test is over. See {@link WithScene}. */
final class SceneExtension implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SceneExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Scene.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(NAMESPACE).computeIfAbsent(Scene.class, missing -> open(context), Scene.class);
    }

    private static Scene open(ExtensionContext context) {
        try {
            return new Scene(KeptFolders.create(context.getRequiredTestClass()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder for a scene", e);
        }
    }
}
