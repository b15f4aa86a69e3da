package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** Certificates that a connection trusts. */
public record Tls(
        @JsonPropertyDescription("Secret whose key holds certificate authorities as PEM. Takes effect within 60 s after"
                + " it was changed.")
        @Required
        SecretKey caSecretRef) {}
