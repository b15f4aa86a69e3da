package io.aardappel.operator.plan;

import io.aardappel.crds.api.Database;
import io.aardappel.crds.api.Stream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * By which a stream is known in the rows beside the state table.
 *
 * @param topic absolute path of the changefeed's topic
 */
public record StreamKey(String topic, String consumer) {
    private static final Pattern PARAMETER = Pattern.compile("[?&]database=([^&]*)");
    private static final Pattern TRAILING_SLASHES = Pattern.compile("/+$");
    private static final Pattern PATH = Pattern.compile("^(?:[a-z]+://)?[^/?]*(/[^?]*)");

    /**
     * Of a stream of a resource.
     *
     * @param source of that resource: a path that begins with no slash is relative to it
     */
    public static StreamKey of(Stream stream, Database source) {
        String topic = stream.sourceTopic();
        return new StreamKey(topic.startsWith("/") ? topic : path(source) + "/" + topic, stream.consumer());
    }

    /**
     * As a person writes it in a confirmation: topic, colon, consumer; the topic relative to the source's database where it
     * lies in that.
     */
    String written(Database source) {
        String inside = path(source) + "/";
        return (topic.startsWith(inside) ? topic.substring(inside.length()) : topic) + ":" + consumer;
    }

    /** Whether its topic lies in a database; true where the database's path is not known. */
    boolean isIn(Database source) {
        return topic.startsWith(path(source) + "/");
    }

    /** The absolute path of a table of a destination, however it is written. */
    static String table(String written, Database destination) {
        return written.startsWith("/") ? written : path(destination) + "/" + written;
    }

    /** The absolute path of a database, without a slash at its end; empty where the resource names none. */
    private static String path(Database database) {
        String path = database.database();
        if (path == null) {
            String whole = String.valueOf(database.connectionString());
            Matcher parameter = PARAMETER.matcher(whole);
            Matcher plain = PATH.matcher(whole);
            path = parameter.find()
                    ? URLDecoder.decode(parameter.group(1), StandardCharsets.UTF_8)
                    : plain.find() ? plain.group(1) : "";
        }
        String bare = TRAILING_SLASHES.matcher(path).replaceFirst("");
        return bare.isEmpty() || bare.startsWith("/") ? bare : "/" + bare;
    }

    @Override
    public String toString() {
        return topic + " (consumer " + consumer + ")";
    }
}
