package io.aardappel.access.auth;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a token service.
 *
 * @param endpoint whose scheme is http or https
 * @param scope words between blanks, empty for none
 * @param subject on whose behalf, null for nobody's
 * @param actor who acts, null for nobody
 */
record ExchangeRequest(
        URI endpoint,
        String grantType,
        String requestedTokenType,
        List<String> resources,
        List<String> audiences,
        String scope,
        @Nullable TokenOrigin subject,
        @Nullable TokenOrigin actor) {
    static final String GRANT_TYPE = "urn:ietf:params:oauth:grant-type:token-exchange";
    static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
}
