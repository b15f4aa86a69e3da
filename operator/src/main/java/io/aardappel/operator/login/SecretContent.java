package io.aardappel.operator.login;

import io.aardappel.access.auth.Content;
import io.aardappel.access.auth.IssueException;
import io.aardappel.crds.api.SecretKey;

/**
 * A key of a Secret, as it was when a reconciler last looked. Never waits: it is read during handshakes, too.
 * Thread-safe.
 */
record SecretContent(SecretValues values, String namespace, SecretKey key) implements Content {
    @Override
    public String name() {
        return SecretValues.name(namespace, key);
    }

    @Override
    public byte[] bytes() throws IssueException {
        SecretValue value = values.known(namespace, key);
        if (value instanceof SecretValue.Held held) {
            return held.content().clone();
        }
        if (value instanceof SecretValue.Missing missing) {
            throw IssueException.passing(missing.what(), missing.remedy());
        }
        SecretValue.Unread unread = (SecretValue.Unread) value;
        throw IssueException.passing(unread.what(), unread.remedy());
    }
}
