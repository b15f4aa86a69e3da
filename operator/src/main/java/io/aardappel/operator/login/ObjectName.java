package io.aardappel.operator.login;

import java.util.regex.Pattern;

/**
 * Names that Kubernetes gives objects. The API server refuses others in a resource; a resource that was written before it did,
 * or by way of another schema, must not choose by a name what an address means.
 */
final class ObjectName {
    private static final int LONGEST = 253;
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private ObjectName() {}

    /** Whether a text is a subdomain as RFC 1123 has them, and so nothing but a name where it stands in an address. */
    static boolean isOne(String text) {
        return text.length() <= LONGEST && SUBDOMAIN.matcher(text).matches();
    }
}
