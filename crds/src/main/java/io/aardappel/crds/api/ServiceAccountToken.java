package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A token that Kubernetes projects into the pods, and what it is exchanged for. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ServiceAccountToken(
        @JsonPropertyDescription("Whom the token is made for: what the token service expects as aud.")
        @Required
        @Size(min = 1, max = 512)
        String audience,

        @JsonPropertyDescription("Seconds the token is good for; the kubelet renews it before. Default: 3600.")
        @Min(600)
        @Max(86_400)
        @Nullable
        Integer expirationSeconds,

        @JsonPropertyDescription("The token service that gives the database's token for it.") @Required
        Exchange exchange) {

    /** A token exchange after RFC 8693. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Exchange(
            @JsonPropertyDescription("Address of the token service, http:// or https://.")
            @Required
            @Size(min = 1, max = 1024)
            @ValidationRule(
                    value = "isURL(self) && url(self).getScheme() in ['http', 'https'] && url(self).getHost() != ''",
                    message = "must be an http:// or https:// address, such as https://sts.example/token")
            String endpoint,

            @JsonPropertyDescription("Values of audience in the request, each on its own. Default: none.")
            @Size(max = 16)
            @Nullable
            List<String> audience,

            @JsonPropertyDescription("Scopes to ask for; what is granted must then be the same. Default: none.")
            @Size(max = 16)
            @Nullable
            List<String> scope) {}
}
