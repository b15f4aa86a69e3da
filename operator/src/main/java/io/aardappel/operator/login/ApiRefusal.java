package io.aardappel.operator.login;

import io.aardappel.access.failure.Cause;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** Why the API server did not give what was asked for. */
final class ApiRefusal {
    private ApiRefusal() {}

    /** For a person. The client's own message may quote what was being read, which is secret here, and stays out. */
    static String words(KubernetesClientException refused) {
        if (refused.getStatus() != null && refused.getStatus().getMessage() != null) {
            return Cause.plain(refused.getStatus().getMessage());
        }
        Throwable cause = refused.getCause();
        return refused.getCode() > 0
                ? "HTTP " + refused.getCode()
                : "no answer from the API server" + (cause == null ? "" : " (" + Cause.kind(cause) + ")");
    }

    /** Whether asking again gives the same, until somebody does something. */
    static boolean isLasting(KubernetesClientException refused) {
        int code = refused.getCode();
        return code >= 400 && code < 500 && code != 401 && code != 408 && code != 409 && code != 429;
    }
}
