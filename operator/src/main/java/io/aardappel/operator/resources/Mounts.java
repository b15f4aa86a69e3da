package io.aardappel.operator.resources;

import io.aardappel.crds.api.Authentication;
import io.aardappel.crds.api.Database;
import io.aardappel.crds.api.ReplicationSpec;
import io.aardappel.crds.api.SecretKey;
import io.aardappel.crds.api.ServiceAccountToken;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the replicator's container finds in its file system, and where it listens. */
final class Mounts {
    /** Where probes, status and metrics are served. */
    static final int PORT = 8080;

    static final String CONFIG = "/etc/aardappel";
    static final String CREDENTIALS = "/var/run/aardappel/credentials";
    static final String AUTHORITIES = "/var/run/aardappel/authorities";

    private static final String CONFIG_VOLUME = "config";
    private static final String SCRATCH_VOLUME = "tmp";
    /** Libraries unpack their native parts there. */
    private static final String SCRATCH = "/tmp";

    private static final String SCRATCH_SIZE = "256Mi";

    /** Whatever user the cluster chooses may read them; nobody else is in the pod. */
    private static final int READABLE = 0444;

    private static final long TOKEN_SECONDS_DEFAULT = 3_600;

    private final List<Volume> volumes = new ArrayList<>();
    private final List<VolumeMount> mounts = new ArrayList<>();

    private Mounts() {}

    /** @param configMap name of the ConfigMap with the configuration */
    static Mounts of(ReplicationSpec spec, String configMap) {
        Mounts all = new Mounts();
        all.add(
                new VolumeBuilder()
                        .withName(CONFIG_VOLUME)
                        .withNewConfigMap()
                        .withName(configMap)
                        .withDefaultMode(READABLE)
                        .endConfigMap()
                        .build(),
                CONFIG);
        for (Side side : Side.values()) {
            all.credential(side, side.of(spec).auth());
            all.authorities(side, side.of(spec));
        }
        all.volumes.add(new VolumeBuilder()
                .withName(SCRATCH_VOLUME)
                .withNewEmptyDir()
                .withSizeLimit(new Quantity(SCRATCH_SIZE))
                .endEmptyDir()
                .build());
        all.mounts.add(new VolumeMountBuilder()
                .withName(SCRATCH_VOLUME)
                .withMountPath(SCRATCH)
                .build());
        return all;
    }

    /** Of the pod. */
    List<Volume> volumes() {
        return volumes;
    }

    /** Of the replicator's container. */
    List<VolumeMount> mounts() {
        return mounts;
    }

    private void credential(Side side, Authentication auth) {
        SecretKey secret = auth.oauth2SecretRef() == null ? auth.staticTokenSecretRef() : auth.oauth2SecretRef();
        if (auth.serviceAccountToken() != null) {
            projected(side, auth.serviceAccountToken());
        } else {
            secret(side.credentialVolume(), secret, side.credentialFile());
        }
    }

    private void authorities(Side side, Database database) {
        if (database.tls() != null) {
            secret(side.caVolume(), database.tls().caSecretRef(), side.caFile());
        }
    }

    private void projected(Side side, ServiceAccountToken token) {
        add(
                new VolumeBuilder()
                        .withName(side.credentialVolume())
                        .withNewProjected()
                        .withDefaultMode(READABLE)
                        .addNewSource()
                        .withNewServiceAccountToken()
                        .withAudience(token.audience())
                        .withExpirationSeconds(seconds(token))
                        .withPath(fileName(side.credentialFile()))
                        .endServiceAccountToken()
                        .endSource()
                        .endProjected()
                        .build(),
                folder(side.credentialFile()));
    }

    /** How long a token is good for. */
    static long seconds(ServiceAccountToken token) {
        Integer seconds = token.expirationSeconds();
        return seconds == null ? TOKEN_SECONDS_DEFAULT : seconds.longValue();
    }

    /** A whole folder is mounted: the kubelet renews no single files. */
    private void secret(String volume, @Nullable SecretKey secret, String file) {
        if (secret == null) {
            return;
        }
        add(
                new VolumeBuilder()
                        .withName(volume)
                        .withNewSecret()
                        .withSecretName(secret.name())
                        .withDefaultMode(READABLE)
                        .addNewItem()
                        .withKey(secret.key())
                        .withPath(fileName(file))
                        .endItem()
                        .endSecret()
                        .build(),
                folder(file));
    }

    private void add(Volume volume, String path) {
        volumes.add(volume);
        mounts.add(new VolumeMountBuilder()
                .withName(volume.getName())
                .withMountPath(path)
                .withReadOnly(true)
                .build());
    }

    private static String folder(String file) {
        return file.substring(0, file.lastIndexOf('/'));
    }

    private static String fileName(String file) {
        return file.substring(file.lastIndexOf('/') + 1);
    }
}
