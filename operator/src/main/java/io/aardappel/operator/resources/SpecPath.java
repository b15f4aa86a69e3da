package io.aardappel.operator.resources;

import io.aardappel.contract.ConfigKeys;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where a person writes in a Replication what stands in the replicator's file, which {@link ConfigText} renders: pods
 * know their file alone, and name its keys where something is wrong with it. Stateless.
 */
public final class SpecPath {
    /** Members of a list stand behind it. */
    private static final String EACH = "[]";

    /** By the key in the file, from its root on; what the operator sets by itself is in {@link #OWN}. */
    static final Map<String, String> BY_KEY = byKey();

    /** Keys whose values no resource chooses. */
    static final Set<String> OWN =
            Set.of(ConfigKeys.MULTIPLE_INSTANCES_MODE, ConfigKeys.MON_SERVER + "." + ConfigKeys.LISTEN);

    /** The last parts of keys that are no words of a language. */
    private static final Map<String, String> BY_NAME = byName();

    private static final Pattern FILE =
            Pattern.compile("\\S*/" + Pattern.quote(ConfigText.FILE) + "(?=[\\s:,;.]|$)(:\\s+(?=line \\d))?");

    private static final Pattern PLACE = Pattern.compile("\\bline \\d+:\\d+: ");

    private static final Pattern KEY = Pattern.compile("(?<![\\w./-])(?:"
            + BY_KEY.keySet().stream()
                    .sorted(Comparator.comparing(String::length).reversed())
                    .map(key -> key.equals(ConfigKeys.STREAMS)
                            ? ConfigKeys.STREAMS + "\\[\\d+\\]"
                            : Pattern.quote(key).replace(EACH, "\\E\\[\\d+\\]\\Q"))
                    .collect(Collectors.joining("|"))
            + "|"
            + BY_NAME.keySet().stream()
                    .sorted(Comparator.comparing(String::length).reversed())
                    .collect(Collectors.joining("|"))
            + ")(?![\\w-]|\\.\\w)");

    private static final Pattern INDEX = Pattern.compile("\\[(\\d+)\\]");

    private SpecPath() {}

    /** The words of a pod, with members of the resource in the place of the file and its keys. */
    public static String inSpec(String words) {
        String text = FILE.matcher(words)
                .replaceAll(found -> found.group(1) == null ? "the configuration of the resource" : "");
        text = PLACE.matcher(text).replaceAll("");
        return KEY.matcher(text).replaceAll(found -> Matcher.quoteReplacement(path(found.group())));
    }

    private static String path(String key) {
        Matcher index = INDEX.matcher(key);
        String each = index.replaceAll(Matcher.quoteReplacement(EACH));
        String known = BY_KEY.get(each);
        if (known == null && each.equals(ConfigKeys.STREAMS + EACH)) {
            known = BY_KEY.get(ConfigKeys.STREAMS) + EACH;
        }
        if (known == null) {
            known = BY_NAME.getOrDefault(each, key);
        }
        index.reset();
        return index.find() ? known.replace(EACH, "[" + index.group(1) + "]") : known;
    }

    private static Map<String, String> byKey() {
        Map<String, String> all = new LinkedHashMap<>();
        for (Side side : Side.values()) {
            String database = "spec." + side.word;
            all.put(side.connectionStringKey, database + ".connectionString");
            all.put(side.balancerKey, database + ".allNodes");
            all.put(side.oauth2FileKey, database + ".auth");
            all.put(own(side.tokenFileKey()), database + ".auth.staticTokenSecretRef");
            all.put(own(side.caFileKey()), database + ".tls.caSecretRef");
        }
        all.put(ConfigKeys.STATE_TABLE, "spec.stateTable");
        all.put(ConfigKeys.INSTANCE_ID, "spec.instanceId");
        all.put(ConfigKeys.MAX_EXPECTED_HEARTBEAT_INTERVAL, "spec.heartbeat.maxExpectedInterval");
        all.put(ConfigKeys.LOG_LEVEL, "spec.logLevel");
        all.put(ConfigKeys.STREAMS, "spec.streams");
        stream(ConfigKeys.SRC_TOPIC, "sourceTopic", all);
        stream(ConfigKeys.CONSUMER, "consumer", all);
        stream(ConfigKeys.DST_TABLE, "destinationTable", all);
        stream(ConfigKeys.PROBLEM_STRATEGY, "problemStrategy", all);
        stream(ConfigKeys.MON_TAG, "monitoringTag", all);
        all.put(ConfigKeys.CMD_QUEUE, "spec.commandQueue");
        all.put(ConfigKeys.CMD_QUEUE + "." + ConfigKeys.PATH, "spec.commandQueue.topic");
        all.put(ConfigKeys.CMD_QUEUE + "." + ConfigKeys.CONSUMER, "spec.commandQueue.consumer");
        all.put(ConfigKeys.DEAD_LETTER_QUEUE, "spec.deadLetterQueue");
        all.put(ConfigKeys.DEAD_LETTER_QUEUE + "." + ConfigKeys.PATH, "spec.deadLetterQueue.topic");
        all.put(own(ConfigText.DEAD_LETTER_FORMAT), "spec.deadLetterQueue.format");
        all.put(ConfigKeys.KEY_FILTER, "spec.keyFilter");
        all.put(ConfigKeys.KEY_FILTER + "." + ConfigKeys.TABLE_PATH, "spec.keyFilter.table");
        all.put(own(ConfigText.MEMORY), "spec.limits.memory");
        all.put(own(ConfigText.TRANSACTION_ROWS), "spec.limits.transactionRows");
        all.put(own(ConfigText.TRANSACTION_BYTES), "spec.limits.transactionBytes");
        return all;
    }

    private static String own(String key) {
        return ConfigKeys.REPLICATOR + "." + key;
    }

    private static void stream(String key, String member, Map<String, String> all) {
        all.put(ConfigKeys.STREAMS + EACH + "." + key, "spec.streams" + EACH + "." + member);
    }

    private static Map<String, String> byName() {
        Map<String, String> names = new LinkedHashMap<>();
        Set<String> twice = new LinkedHashSet<>();
        BY_KEY.forEach((key, path) -> {
            String name = key.substring(key.lastIndexOf('.') + 1);
            if (!name.equals(key) && name.indexOf('_') > 0 && names.put(name, path) != null) {
                twice.add(name);
            }
        });
        names.keySet().removeAll(twice);
        return names;
    }
}
