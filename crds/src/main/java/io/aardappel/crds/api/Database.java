package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Where a database is and how to log in. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = "has(self.connectionString) != (has(self.endpoint) && has(self.database))"
                + " && has(self.endpoint) == has(self.database)",
        message = "give either connectionString, or endpoint and database")
public record Database(
        @JsonPropertyDescription("grpcs://HOST:PORT/DATABASE, or grpc:// without TLS. Without a scheme it means grpcs."
                + " Not together with endpoint and database.")
        @Size(min = 1, max = 1024)
        @ValidationRule(
                value = "self.matches(r'^" + NameRules.SERVER
                        + "((/[^/?#@`\\\\\\s]+)+(\\?[^#@\\s]*)?|/\\?([^#@\\s]*&)?database=[^#@\\s]+)$')"
                        + " && !self.matches(r'[?&](database=(&|$)|database=[^&]*/(&|$)|token=)')",
                message =
                        "must be grpcs://HOST:PORT/DATABASE or grpc://HOST:PORT/DATABASE, with a port of 1 to 65535, no slash at the end, and no user or token: those belong to auth")
        @Nullable
        String connectionString,

        @JsonPropertyDescription("HOST:PORT, with grpcs:// or grpc:// before it; without a scheme it means grpcs.")
        @Size(min = 1, max = 512)
        @ValidationRule(
                value = "self.matches(r'^" + NameRules.SERVER + "$')",
                message =
                        "must be HOST:PORT with a port of 1 to 65535, with grpcs:// or grpc:// before it or without a scheme")
        @Nullable
        String endpoint,

        @JsonPropertyDescription("Absolute path of the database, such as /Root/shop.")
        @Size(min = 2, max = 512)
        @ValidationRule(
                value = "self.startsWith('/') && " + NameRules.PATH,
                message = "must be an absolute path without a slash at its end, such as /Root/shop")
        @Nullable
        String database,

        @JsonPropertyDescription("Spread calls over all nodes that the database names; otherwise they go to the given"
                + " address. Default: false.")
        @Nullable
        Boolean allNodes,

        @JsonPropertyDescription("Certificates to trust beside the usual ones.") @Nullable
        Tls tls,

        @JsonPropertyDescription("How to log in: exactly one of its members.") @Required
        Authentication auth) {}
