package io.aardappel.replicator.config;

import static io.aardappel.contract.ConfigKeys.CMD_QUEUE;
import static io.aardappel.contract.ConfigKeys.CONSUMER;
import static io.aardappel.contract.ConfigKeys.DEAD_LETTER_QUEUE;
import static io.aardappel.contract.ConfigKeys.PATH;

import io.aardappel.replicator.config.ProblemHandling.CommandQueue;
import io.aardappel.replicator.config.ProblemHandling.DeadLetterFormat;
import java.util.Locale;
import java.util.Optional;

/** The sections about records that are late or do not fit. Stateless. */
final class ProblemSections {
    static final String DEAD_LETTER_FORMAT = "dead_letter_format";

    private ProblemSections() {}

    /**
     * Reads them.
     *
     * @param own the {@code replicator} section
     * @param destination where it is empty, paths cannot be judged and are not
     */
    static ProblemHandling read(Section root, Section own, Optional<Endpoint> destination) {
        Optional<CommandQueue> commands = root.section(CMD_QUEUE).map(section -> commands(section, destination));
        Optional<String> deadLetters = root.section(DEAD_LETTER_QUEUE).map(section -> {
            String path = topic(section, destination);
            section.close();
            return path;
        });
        return new ProblemHandling(commands, deadLetters, format(own));
    }

    private static CommandQueue commands(Section section, Optional<Endpoint> destination) {
        String path = topic(section, destination);
        String consumer = section.requiredText(CONSUMER, "name a consumer of that topic, used for nothing else");
        section.checkConsumer(CONSUMER, consumer);
        section.close();
        return new CommandQueue(path, consumer);
    }

    private static String topic(Section section, Optional<Endpoint> destination) {
        String text = section.requiredText(PATH, "name a topic of the destination database");
        return text.isEmpty() || destination.isEmpty()
                ? text
                : Inside.destination(destination.get()).topic(section, PATH, text);
    }

    private static DeadLetterFormat format(Section own) {
        String text = own.text(DEAD_LETTER_FORMAT);
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "", "text" -> DeadLetterFormat.TEXT;
            case "json" -> DeadLetterFormat.JSON;
            default -> {
                own.wrong(DEAD_LETTER_FORMAT, text, "is no format", "choose text or json");
                yield DeadLetterFormat.TEXT;
            }
        };
    }
}
