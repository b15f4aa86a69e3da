package io.aardappel.access.auth;

import java.time.Instant;

/** Where a token to be exchanged comes from. */
sealed interface TokenOrigin {
    /** Of a signed token. */
    String JWT = "urn:ietf:params:oauth:token-type:jwt";

    /** What the token is, as a URN. */
    String type();

    /** The token of now. */
    String token(Instant now) throws IssueException;

    /** Stands in the credential file. */
    record Fixed(String token, String type) implements TokenOrigin {
        @Override
        public String token(Instant now) {
            return token;
        }

        /** Without the token. */
        @Override
        public String toString() {
            return "fixed " + type;
        }
    }

    /** Stands in a file of its own, which others may write anew at any time. */
    record InFile(Content content, String type) implements TokenOrigin {
        @Override
        public String token(Instant now) throws IssueException {
            return TokenFile.read(content);
        }
    }

    /** Is made anew every time. */
    record Signed(JwtSigner signer) implements TokenOrigin {
        @Override
        public String type() {
            return JWT;
        }

        @Override
        public String token(Instant now) throws IssueException {
            return signer.sign(now);
        }
    }
}
