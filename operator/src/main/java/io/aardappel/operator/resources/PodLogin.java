package io.aardappel.operator.resources;

import io.aardappel.crds.api.Authentication;
import io.aardappel.crds.api.Database;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationSpec;
import io.aardappel.crds.api.SecretKey;
import io.aardappel.crds.api.ServiceAccountToken;
import io.aardappel.crds.api.Tls;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** How the pods of a Replication log in to its databases, for whoever is to log in alike. */
public final class PodLogin {
    private PodLogin() {}

    /**
     * The keys of Secrets that pods mount to log in to both databases and to trust them, in a fixed order, each once.
     */
    public static List<SecretKey> secrets(ReplicationSpec spec) {
        return Arrays.stream(Side.values())
                .flatMap(side -> secrets(side.of(spec)))
                .distinct()
                .toList();
    }

    private static Stream<SecretKey> secrets(Database database) {
        Authentication auth = database.auth();
        Tls tls = database.tls();
        return Stream.of(
                        Stream.ofNullable(auth.oauth2SecretRef()),
                        Stream.ofNullable(auth.staticTokenSecretRef()),
                        Stream.ofNullable(tls == null ? null : tls.caSecretRef()))
                .flatMap(given -> given);
    }

    /** The service account that the pods run as. */
    public static String serviceAccount(Replication resource) {
        return DesiredDeployment.serviceAccount(
                resource.getSpec(), Names.of(resource.getMetadata().getName()));
    }

    /** Whether the operator makes that service account. */
    public static boolean isAccountMade(Replication resource) {
        return serviceAccount(resource)
                .equals(Names.of(resource.getMetadata().getName()).replicator());
    }

    /**
     * The file by which pods exchange their service account's token for one of the destination. It names the token's
     * file alone.
     */
    public static String destinationExchange(ServiceAccountToken token) {
        return ConfigText.exchange(Side.DESTINATION, token);
    }

    /** How long a service account's token is good for, in seconds. */
    public static long seconds(ServiceAccountToken token) {
        return Mounts.seconds(token);
    }
}
