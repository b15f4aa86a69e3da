package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** How to log in to a database; exactly one member is set. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = "[has(self.serviceAccountToken), has(self.oauth2SecretRef), has(self.staticTokenSecretRef),"
                + " has(self.anonymous)].filter(given, given).size() == 1",
        message = "give exactly one of serviceAccountToken, oauth2SecretRef, staticTokenSecretRef and anonymous")
public record Authentication(
        @JsonPropertyDescription(
                "The pods' own service account: Kubernetes gives a token that is exchanged for one of the"
                        + " database.")
        @Nullable
        ServiceAccountToken serviceAccountToken,

        @JsonPropertyDescription("Secret with a file for token exchange (RFC 8693), in one of the forms that the"
                + " replicator's documentation names.")
        @Nullable
        SecretKey oauth2SecretRef,

        @JsonPropertyDescription("Secret with a ready token, sent as it is.") @Nullable
        SecretKey staticTokenSecretRef,

        @JsonPropertyDescription("No login at all, for databases that ask for none: {}.") @Nullable
        Anonymous anonymous) {

    /** Has no members. */
    public record Anonymous() {}
}
