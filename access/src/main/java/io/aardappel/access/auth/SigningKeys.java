package io.aardappel.access.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;

/** Keys as credential files hold them: PEM for RS, PS and ES, base64 for HS. What it throws never quotes the key. */
final class SigningKeys {
    private static final TreeMap<String, JWSAlgorithm> ALGORITHMS = new TreeMap<>();

    static {
        for (JWSAlgorithm algorithm : new JWSAlgorithm[] {
            JWSAlgorithm.HS256, JWSAlgorithm.HS384, JWSAlgorithm.HS512,
            JWSAlgorithm.RS256, JWSAlgorithm.RS384, JWSAlgorithm.RS512,
            JWSAlgorithm.PS256, JWSAlgorithm.PS384, JWSAlgorithm.PS512,
            JWSAlgorithm.ES256, JWSAlgorithm.ES384, JWSAlgorithm.ES512
        }) {
            ALGORITHMS.put(algorithm.getName(), algorithm);
        }
    }

    private SigningKeys() {}

    /** In any letter case; empty when it is none that is known. */
    static Optional<JWSAlgorithm> algorithm(String name) {
        return Optional.ofNullable(ALGORITHMS.get(name.toUpperCase(Locale.ROOT)));
    }

    static Set<String> algorithms() {
        return ALGORITHMS.keySet();
    }

    /** @throws GeneralSecurityException with what is wrong with the key as message */
    static JWSSigner signer(JWSAlgorithm algorithm, String key) throws GeneralSecurityException {
        try {
            if (JWSAlgorithm.Family.HMAC_SHA.contains(algorithm)) {
                return new MACSigner(secret(algorithm, key));
            }
            if (JWSAlgorithm.Family.EC.contains(algorithm)) {
                return elliptic(algorithm, key);
            }
            return new RSASSASigner(privateKey("RSA", key), Set.of(AllowWeakRSAKey.getInstance()));
        } catch (JOSEException unfit) {
            throw new GeneralSecurityException("is no key for " + algorithm);
        }
    }

    private static JWSSigner elliptic(JWSAlgorithm algorithm, String key)
            throws GeneralSecurityException, JOSEException {
        PrivateKey parsed = privateKey("EC", key);
        ECDSASigner signer = new ECDSASigner((ECPrivateKey) parsed);
        if (!signer.supportedJWSAlgorithms().contains(algorithm)) {
            throw new GeneralSecurityException(
                    "is for " + signer.supportedJWSAlgorithms() + " by its curve, not for " + algorithm);
        }
        return signer;
    }

    /**
     * The library refuses secrets shorter than the hash, which the Go program takes. HMAC fills up short ones with zeros, so a
     * secret with zeros behind it signs the same.
     */
    private static byte[] secret(JWSAlgorithm algorithm, String base64) throws GeneralSecurityException {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(base64.strip());
        } catch (IllegalArgumentException other) {
            throw new GeneralSecurityException("is not base64, which " + algorithm + " needs");
        }
        if (secret.length == 0) {
            throw new GeneralSecurityException("is empty");
        }
        int hashBytes = Integer.parseInt(algorithm.getName().substring(2)) / 8;
        return secret.length < hashBytes ? Arrays.copyOf(secret, hashBytes) : secret;
    }

    private static PrivateKey privateKey(String kind, String pem) throws GeneralSecurityException {
        PrivateKeyInfo info = read(pem);
        try {
            return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
        } catch (GeneralSecurityException | IOException other) {
            throw new GeneralSecurityException("is no " + kind + " key");
        }
    }

    private static PrivateKeyInfo read(String pem) throws GeneralSecurityException {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            for (Object block = parser.readObject(); block != null; block = parser.readObject()) {
                if (block instanceof PrivateKeyInfo info) {
                    return info;
                }
                if (block instanceof PEMKeyPair pair) {
                    return pair.getPrivateKeyInfo();
                }
            }
        } catch (IOException | RuntimeException malformed) {
            throw new GeneralSecurityException("is no PEM that can be read");
        }
        throw new GeneralSecurityException("holds no private key in PEM without a password");
    }
}
