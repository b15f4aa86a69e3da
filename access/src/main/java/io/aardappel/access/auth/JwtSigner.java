package io.aardappel.access.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/**
 * Makes signed tokens of one account.
 *
 * @param claims what is in them beside the times
 * @param lifetime of each
 */
record JwtSigner(JWSSigner signer, JWSAlgorithm algorithm, Claims claims, Duration lifetime) {
    /** Empty text and an empty list are left out. */
    record Claims(String keyId, String issuer, String subject, String id, List<String> audience) {}

    String sign(Instant now) throws IssueException {
        JWSHeader.Builder header = new JWSHeader.Builder(algorithm).type(JOSEObjectType.JWT);
        if (!claims.keyId().isEmpty()) {
            header.keyID(claims.keyId());
        }
        JWTClaimsSet.Builder body =
                new JWTClaimsSet.Builder().issueTime(Date.from(now)).expirationTime(Date.from(now.plus(lifetime)));
        if (!claims.issuer().isEmpty()) {
            body.issuer(claims.issuer());
        }
        if (!claims.subject().isEmpty()) {
            body.subject(claims.subject());
        }
        if (!claims.id().isEmpty()) {
            body.jwtID(claims.id());
        }
        if (!claims.audience().isEmpty()) {
            body.audience(claims.audience());
        }
        SignedJWT token = new SignedJWT(header.build(), body.build());
        try {
            token.sign(signer);
        } catch (JOSEException unable) {
            throw IssueException.lasting(
                    "the key cannot sign with " + algorithm, "Name the algorithm that the key is for");
        }
        return token.serialize();
    }
}
