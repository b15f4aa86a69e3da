package io.aardappel.replicator.config;

import org.jspecify.annotations.Nullable;

/** A text that must reach the wire and nothing else: it never prints. */
public final class Secret {
    private final String text;

    public Secret(String text) {
        this.text = text;
    }

    /** The secret itself; hand it to the one call that needs it. */
    public String reveal() {
        return text;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Secret secret && text.equals(secret.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
