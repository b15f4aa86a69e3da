package io.aardappel.program.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import net.logstash.logback.composite.AbstractFieldJsonProvider;
import net.logstash.logback.composite.AbstractJsonProvider;
import net.logstash.logback.composite.loggingevent.LoggerNameJsonProvider;
import net.logstash.logback.composite.loggingevent.LoggingEventFormattedTimestampJsonProvider;
import net.logstash.logback.composite.loggingevent.LoggingEventJsonProviders;
import net.logstash.logback.composite.loggingevent.LoggingEventThreadNameJsonProvider;
import net.logstash.logback.composite.loggingevent.MessageJsonProvider;
import net.logstash.logback.composite.loggingevent.StackTraceJsonProvider;
import net.logstash.logback.encoder.LoggingEventCompositeJsonEncoder;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * One JSON object a line on stderr: {@code ts}, {@code level}, {@code message}, fields of the event, {@code logger}, …
 * The same form for all programs, so that one rule of a log collector reads them. For the whole process; to be called
 * from one thread.
 */
public final class JsonLog {
    /**
     * Libraries that print headers, tickets among them, when they are asked for details. What they would warn of we say
     * in our own words, and once; so they only tell of errors, and at level debug of warnings.
     */
    private static final List<String> TALKATIVE =
            List.of("io.grpc", "io.netty", "tech.ydb", "io.micrometer", "io.prometheus", "sun.net", "com.sun.net");

    /** These tell of requests, headers among them, when asked for details; what they warn of is worth knowing. */
    private static final List<String> OF_CLUSTERS = List.of("io.fabric8", "io.javaoperatorsdk");

    /** Of these we tell the warnings ourselves, in a line each: theirs have a trace, whatever the cause. */
    private static final List<String> TOLD_BY_US = List.of(
            "io.javaoperatorsdk.operator.processing.event.EventProcessor",
            "io.fabric8.kubernetes.client.extended.leaderelection");

    /**
     * To be called before anything is logged, and again when the level is known.
     *
     * @param level the least that is written of what we say
     */
    public static void configure(org.slf4j.event.Level level) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        takeInJavaLogging();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder(context));
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        root.setLevel(Level.toLevel(level.name()));
        boolean details = level == org.slf4j.event.Level.DEBUG;
        TALKATIVE.forEach(name -> context.getLogger(name).setLevel(details ? Level.WARN : Level.ERROR));
        TOLD_BY_US.forEach(name -> context.getLogger(name).setLevel(details ? Level.WARN : Level.ERROR));
        OF_CLUSTERS.forEach(name -> context.getLogger(name).setLevel(details ? Level.INFO : Level.WARN));
    }

    /** gRPC logs with java.util.logging, which would print lines of its own form, with long traces, beside ours. */
    private static void takeInJavaLogging() {
        java.util.logging.Logger root = java.util.logging.Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        root.addHandler(new JavaLogging());
    }

    private static LoggingEventCompositeJsonEncoder encoder(LoggerContext context) {
        LoggingEventJsonProviders providers = new LoggingEventJsonProviders();
        LoggingEventFormattedTimestampJsonProvider timestamp = new LoggingEventFormattedTimestampJsonProvider();
        timestamp.setFieldName("ts");
        timestamp.setTimeZone("UTC");
        providers.addProvider(timestamp);
        providers.addProvider(new LowerCaseLevel());
        providers.addProvider(new MessageJsonProvider());
        providers.addProvider(new EventFields());
        LoggerNameJsonProvider logger = new LoggerNameJsonProvider();
        logger.setFieldName("logger");
        logger.setShortenedLoggerNameLength(30);
        providers.addProvider(logger);
        LoggingEventThreadNameJsonProvider thread = new LoggingEventThreadNameJsonProvider();
        thread.setFieldName("thread");
        providers.addProvider(thread);
        StackTraceJsonProvider stackTrace = new StackTraceJsonProvider();
        stackTrace.setFieldName("stacktrace");
        providers.addProvider(stackTrace);
        LoggingEventCompositeJsonEncoder encoder = new LoggingEventCompositeJsonEncoder();
        encoder.setContext(context);
        encoder.setProviders(providers);
        encoder.start();
        return encoder;
    }

    /** Hands on warnings and what is worse, the first line of each. */
    private static final class JavaLogging extends Handler {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord event) {
            if (event.getLevel().intValue() < java.util.logging.Level.WARNING.intValue()) {
                return;
            }
            String text = formatter.formatMessage(event).lines().findFirst().orElse("");
            String name = event.getLoggerName();
            LoggerFactory.getLogger(name == null ? "java.util.logging" : name).warn("{}", text);
        }

        @Override
        public void flush() {
            // nothing is kept back
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    /** {@code level} in lower case, as the Go program writes it. */
    private static final class LowerCaseLevel extends AbstractFieldJsonProvider<ILoggingEvent> {
        @Override
        public void writeTo(JsonGenerator generator, ILoggingEvent event) throws IOException {
            generator.writeStringField("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
        }
    }

    /** The event's own fields: numbers and truth values as such, all else as text. */
    private static final class EventFields extends AbstractJsonProvider<ILoggingEvent> {
        @Override
        public void writeTo(JsonGenerator generator, ILoggingEvent event) throws IOException {
            List<KeyValuePair> fields = event.getKeyValuePairs();
            if (fields == null) {
                return;
            }
            for (KeyValuePair field : fields) {
                if (field.value instanceof Number || field.value instanceof Boolean) {
                    generator.writeObjectField(field.key, field.value);
                } else {
                    generator.writeStringField(field.key, String.valueOf(field.value));
                }
            }
        }
    }

    private JsonLog() {}
}
