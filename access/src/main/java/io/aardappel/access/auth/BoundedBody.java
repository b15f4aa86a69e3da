package io.aardappel.access.auth;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.function.Consumer;

/** The beginning of an answer: whatever a server sends, no more is kept. */
final class BoundedBody implements Consumer<Optional<byte[]>> {
    private static final int BYTES_MAX = 1 << 20;

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    @Override
    public void accept(Optional<byte[]> part) {
        part.ifPresent(bytes -> kept.write(bytes, 0, Math.min(bytes.length, BYTES_MAX - kept.size())));
    }

    byte[] bytes() {
        return kept.toByteArray();
    }
}
