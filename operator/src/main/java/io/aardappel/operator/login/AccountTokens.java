package io.aardappel.operator.login;

import io.aardappel.access.auth.Content;
import io.aardappel.access.auth.IssueException;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ServiceAccountToken;
import io.aardappel.operator.resources.PodLogin;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Tokens of service accounts, as the kubelet gets them for pods: by TokenRequest. Thread-safe. */
final class AccountTokens {
    /** A refusal that was not repeated for so long is forgotten: nobody asks any more. */
    private static final Duration REFUSAL_KEPT = Duration.ofMinutes(10);

    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private record Refusal(Instant at, String words) {}

    private final KubernetesClient client;
    private final InstantSource clock;
    private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();

    AccountTokens(KubernetesClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    /** A new token each time it is read, of the service account of a resource's pods. Waits for the API server. */
    Content of(Replication resource, ServiceAccountToken wanted) {
        return new Token(
                resource.getMetadata().getNamespace(),
                PodLogin.serviceAccount(resource),
                PodLogin.isAccountMade(resource),
                wanted);
    }

    /**
     * Why the API server gives the pods of a resource no token, and what can be done; empty when nothing is known of
     * that.
     */
    Optional<String> refusal(Replication resource) {
        Refusal refusal =
                refusals.get(object(resource.getMetadata().getNamespace(), PodLogin.serviceAccount(resource)));
        return refusal == null || refusal.at().isBefore(clock.instant().minus(REFUSAL_KEPT))
                ? Optional.empty()
                : Optional.of(refusal.words());
    }

    private static String object(String namespace, String account) {
        return "the service account " + namespace + "/" + account;
    }

    private final class Token implements Content {
        private final String namespace;
        private final String account;
        private final boolean made;
        private final ServiceAccountToken wanted;

        /** @param made whether the operator makes the account, so that it will be there */
        Token(String namespace, String account, boolean made, ServiceAccountToken wanted) {
            this.namespace = namespace;
            this.account = account;
            this.made = made;
            this.wanted = wanted;
        }

        @Override
        public String name() {
            return object(namespace, account);
        }

        @Override
        public byte[] bytes() throws IssueException {
            if (!ObjectName.isOne(account)) {
                String what = name() + " cannot be: no service account can have such a name";
                String remedy = "Name the right one in spec.template.pod.serviceAccountName";
                keep(what, remedy);
                throw IssueException.passing(what, remedy);
            }
            try {
                byte[] token = request().getBytes(StandardCharsets.UTF_8);
                refusals.remove(name());
                return token;
            } catch (KubernetesClientException refused) {
                throw refused(refused);
            }
        }

        private String request() {
            TokenRequest request = new TokenRequestBuilder()
                    .withNewSpec()
                    .withAudiences(wanted.audience())
                    .withExpirationSeconds(PodLogin.seconds(wanted))
                    .endSpec()
                    .build();
            return client.serviceAccounts()
                    .inNamespace(namespace)
                    .withName(account)
                    .tokenRequest(request)
                    .getStatus()
                    .getToken();
        }

        private IssueException refused(KubernetesClientException refused) {
            String what = name() + ": the API server gives it no token for the audience " + wanted.audience() + ": "
                    + ApiRefusal.words(refused);
            String remedy = remedy(refused.getCode());
            if (ApiRefusal.isLasting(refused) && !(made && refused.getCode() == NOT_FOUND)) {
                keep(what, remedy);
            }
            return IssueException.passing(what, remedy);
        }

        private void keep(String what, String remedy) {
            Instant now = clock.instant();
            refusals.values().removeIf(old -> old.at().isBefore(now.minus(REFUSAL_KEPT)));
            refusals.put(name(), new Refusal(now, what + ". " + remedy));
        }

        private String remedy(int code) {
            return switch (code) {
                case NOT_FOUND ->
                    made
                            ? "It is made together with the pods"
                            : "Create it, or name another in spec.template.pod.serviceAccountName";
                case FORBIDDEN -> "Give the operator the right to create serviceaccounts/token";
                default -> "See that the cluster gives tokens for this audience and of this lifetime";
            };
        }
    }
}
