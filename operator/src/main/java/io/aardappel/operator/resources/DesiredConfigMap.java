package io.aardappel.operator.resources;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.Stream;
import io.aardappel.operator.plan.Digest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The ConfigMap that pods read. Its name holds a hash of its content and it cannot be changed, so running pods never see
 * another configuration than the one they were made for.
 */
public final class DesiredConfigMap {
    /** Of the whole object; the API server refuses more. */
    private static final int BYTES_MAX = 1_000_000;

    private static final int NAME_HASH_DIGITS = 8;
    private static final int HASH_DIGITS = 32;

    private final ConfigMap object;
    private final String hash;
    private final int bytes;

    private DesiredConfigMap(ConfigMap object, String hash, int bytes) {
        this.object = object;
        this.hash = hash;
        this.bytes = bytes;
    }

    /**
     * Of this resource.
     *
     * @param streams those of the resource that may run
     */
    public static DesiredConfigMap of(Replication replication, List<Stream> streams) {
        Map<String, String> files = ConfigText.of(replication, streams);
        Names names = Names.of(replication.getMetadata().getName());
        String all = String.join(
                "\n",
                files.entrySet().stream()
                        .map(file -> file.getKey() + "\n" + file.getValue())
                        .toList());
        ConfigMap object = new ConfigMapBuilder()
                .withMetadata(Owned.metadata(replication, names.configMap(Digest.of(all, NAME_HASH_DIGITS))))
                .withImmutable(true)
                .withData(files)
                .build();
        return new DesiredConfigMap(object, Digest.of(all, HASH_DIGITS), all.getBytes(StandardCharsets.UTF_8).length);
    }

    /** The streams that a ConfigMap of ours names, in its order; none of one that holds no configuration that can be read. */
    public static List<Stream> streams(ConfigMap config) {
        String text = config.getData() == null ? null : config.getData().get(ConfigText.FILE);
        try {
            return text == null ? List.of() : ConfigText.streams(text);
        } catch (JsonProcessingException foreign) {
            return List.of(); // somebody else's: whoever asks has the rows of the instance as well
        }
    }

    public ConfigMap object() {
        return object;
    }

    /** Of the content; equal contents have equal ones. */
    public String hash() {
        return hash;
    }

    /** Of the files together, in UTF-8. */
    public int bytes() {
        return bytes;
    }

    /** Whether no API server would take it. */
    public boolean isTooLarge() {
        return bytes > BYTES_MAX;
    }
}
