package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** One changefeed and the table it is written to; known by its topic and consumer. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Stream(
        @JsonPropertyDescription("Path of the changefeed's topic in the source, such as goods/feed."
                + " A change of it makes another stream of the entry; see streams.")
        @Required
        @Size(min = 1, max = 1024)
        @ValidationRule(value = NameRules.PATH, message = "write the path of a topic " + NameRules.PATH_MESSAGE)
        String sourceTopic,

        @JsonPropertyDescription("Consumer of that topic, used by this replication alone."
                + " A change of it makes another stream of the entry; see streams.")
        @Required
        @Size(min = 1, max = 256)
        @ValidationRule(value = NameRules.CONSUMER, message = NameRules.CONSUMER_MESSAGE)
        String consumer,

        @JsonPropertyDescription("Path of the table in the destination, absolute or relative to the database."
                + " A change of it takes the stream out; see streams.")
        @Required
        @Size(min = 1, max = 1024)
        @ValidationRule(value = NameRules.PATH, message = "write the path of a table " + NameRules.PATH_MESSAGE)
        String destinationTable,

        @JsonPropertyDescription("What happens to a record that comes late or does not fit: Stop ends in FATAL_ERROR,"
                + " Continue leaves it out, counts it and writes it to the dead-letter queue. Default: Stop.")
        @Nullable
        ProblemStrategy problemStrategy,

        @JsonPropertyDescription(
                "Value of the label stream_tag in metrics; equal ones share a series. Default: sourceTopic.")
        @Size(min = 1, max = 256)
        @Nullable
        String monitoringTag) {}
