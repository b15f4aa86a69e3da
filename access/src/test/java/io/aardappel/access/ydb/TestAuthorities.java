package io.aardappel.access.ydb;

import io.aardappel.emulator.YdbEmulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files with the certificates of emulators. */
final class TestAuthorities {
    private TestAuthorities() {}

    static TrustedAuthorities of(YdbEmulator ydb) {
        try {
            Path file = Files.createTempFile("authority", ".pem");
            file.toFile().deleteOnExit();
            return TrustedAuthorities.in(
                    Files.writeString(file, ydb.certificatePem().orElseThrow()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
