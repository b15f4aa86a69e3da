package io.aardappel.operator.app;

import io.aardappel.operator.login.PodLogins;
import io.aardappel.operator.login.SecretValues;
import io.aardappel.operator.state.DestinationChanges;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;

/** The databases of resources, opened as their pods open them. */
final class DatabaseAccess {
    private DatabaseAccess() {}

    /**
     * By the Secrets and service accounts that this client may read and ask for tokens.
     *
     * @param operator what it calls itself
     */
    static Databases of(KubernetesClient client, String operator) {
        InstantSource clock = InstantSource.system();
        PodLogins logins =
                new PodLogins(client, new SecretValues(client, clock, SecretValues.PERIOD), System.getenv(), clock);
        return new Databases(logins::openSource, logins, logins, new DestinationChanges(logins, operator));
    }
}
