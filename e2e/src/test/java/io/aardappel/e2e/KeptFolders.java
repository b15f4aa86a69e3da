package io.aardappel.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes the tests' folders where they can stay: after all tests, logs and whatever else programs wrote there are searched for
 * secrets. Named in {@code junit-platform.properties}.
 */
public final class KeptFolders implements TempDirFactory {
    private static final Path ALL = Path.of("target", "written");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return create(context.getRequiredTestClass());
    }

    /** A folder for one test. */
    public static Path create(Class<?> of) throws IOException {
        return Files.createTempDirectory(all(), of.getSimpleName() + "-");
    }

    /** Puts a copy of a file there whose own folder goes away. */
    public static void keep(Path file, String name) throws IOException {
        Files.copy(file, Files.createTempFile(all(), name + "-", ".log"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path all() throws IOException {
        return Files.createDirectories(ALL.toAbsolutePath());
    }
}
