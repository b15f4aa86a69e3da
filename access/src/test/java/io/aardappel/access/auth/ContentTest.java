package io.aardappel.access.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aardappel.emulator.junit.KnownSecrets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A credential that is held in memory")
class ContentTest {
    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final String SECRET = KnownSecrets.secret("token-in-memory");

    private byte[] held = {};

    private final Content memory = new Content() {
        @Override
        public String name() {
            return "key `token` of the Secret copies/login";
        }

        @Override
        public byte[] bytes() {
            return held.clone();
        }
    };

    private void hold(String text) {
        held = text.getBytes(StandardCharsets.UTF_8);
    }

    private static void expectRefusal(Issuer issuer, String... words) {
        assertThatThrownBy(() -> issuer.issue(WITHIN))
                .isInstanceOfSatisfying(
                        IssueException.class,
                        refusal -> assertThat(refusal.what()).contains(words).doesNotContain(KnownSecrets.MARKER));
    }

    @Test
    void isReadEveryTime() throws Exception {
        TokenFile token = new TokenFile(memory);
        hold(SECRET + "\n");
        assertThat(token.issue(WITHIN).ticket()).isEqualTo(SECRET);
        hold("other");
        assertThat(token.issue(WITHIN).ticket()).isEqualTo("other");
    }

    @Test
    void isNamedWhenItIsOfNoUse() {
        hold(SECRET + " " + SECRET);
        expectRefusal(new TokenFile(memory), "key `token` of the Secret copies/login", "a blank");
        held = new byte[] {(byte) 0xc3, (byte) 0x28};
        expectRefusal(new TokenFile(memory), "key `token` of the Secret copies/login", "no text in UTF-8");
    }

    @Test
    void mayNotNameFilesWhereItsOwnerHasNone() throws Exception {
        try (TokenService service = new TokenService()) {
            hold("""
                    {"type": "oauth2_token_exchange", "oauth2_token_exchange": {
                      "exchanger": {"endpoint": "%s"},
                      "payload": {"subject_token_type": "urn:t", "subject_token": {"type": "file", "file": "/etc/hosts"}}}}
                    """.formatted(service.endpoint()));
            NamedFiles none = (where, path) -> new Content() {
                @Override
                public String name() {
                    return where;
                }

                @Override
                public byte[] bytes() throws IssueException {
                    throw IssueException.lasting(where + ": there are no files here", "Write the token itself");
                }
            };
            ExchangeClient client = new ExchangeClient(Map.of(), SSLContext.getDefault(), WITHIN);
            TokenExchange exchange = new TokenExchange(
                    new CredentialFile(memory, none, "", Optional.empty()), client, InstantSource.system());
            expectRefusal(exchange, "subject_token.file: there are no files here");
            hold("{\"subject-credentials\": {\"type\": \"fixed\", \"token\": \"" + SECRET
                    + "\", \"token-type\": \"urn:t\"}}");
            expectRefusal(exchange, "token-endpoint is missing");
        }
    }
}
