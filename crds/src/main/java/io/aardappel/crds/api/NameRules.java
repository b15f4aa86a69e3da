package io.aardappel.crds.api;

/**
 * Rules of names, in CEL, with what a person is told who breaks them. They admit what the server that the name is for can
 * take, and no text that means something else where it is put: in a statement or in an address.
 */
final class NameRules {
    /** Of a topic or table: parts between single slashes, of no blank, back-quote, backslash or control character. */
    static final String PATH = "self.matches(r'^/?[^/`\\\\\\pZ\\p{Cc}]+(/[^/`\\\\\\pZ\\p{Cc}]+)*$')";

    /** What follows the name of what is written. */
    static final String PATH_MESSAGE =
            "without back-quotes, blanks, backslashes and empty parts between slashes, absolute or relative to the database";

    /** Of a consumer of a topic. */
    static final String CONSUMER = "self.matches(r'^[^`\\\\\\pZ\\p{Cc}]+$')";

    static final String CONSUMER_MESSAGE = "write the consumer's name without back-quotes, blanks and backslashes";

    /** As Kubernetes names most of its objects: a subdomain of RFC 1123. */
    static final String OBJECT = "self.matches(r'^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')";

    static final String OBJECT_MESSAGE =
            "must be a name of Kubernetes: lower-case letters, digits, dashes and dots, with a"
                    + " letter or digit at both ends of what is between dots, such as copy-login";

    /** As Kubernetes names keys within a Secret. */
    static final String KEY = "self.matches(r'^[-._a-zA-Z0-9]+$') && self != '.' && !self.startsWith('..')";

    static final String KEY_MESSAGE =
            "must be a key of a Secret: letters, digits, dashes, dots and underscores, such as ca.crt";

    /** 1 to 65535. */
    static final String PORT = "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";

    /** The scheme may be left out; addresses of IPv6 stand in brackets. */
    static final String SERVER = "(grpcs?://)?(\\[[0-9A-Fa-f:.%]+\\]|[^/?#@:\\s\\[\\]]+):" + PORT;

    private NameRules() {}
}
