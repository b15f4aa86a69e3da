package io.aardappel.replicator.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import com.fasterxml.jackson.core.JsonGenerator;
import io.aardappel.replicator.config.LogLevel;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import net.logstash.logback.composite.AbstractFieldJsonProvider;
import net.logstash.logback.composite.loggingevent.KeyValuePairsJsonProvider;
import net.logstash.logback.composite.loggingevent.LoggerNameJsonProvider;
import net.logstash.logback.composite.loggingevent.LoggingEventFormattedTimestampJsonProvider;
import net.logstash.logback.composite.loggingevent.LoggingEventJsonProviders;
import net.logstash.logback.composite.loggingevent.LoggingEventThreadNameJsonProvider;
import net.logstash.logback.composite.loggingevent.MessageJsonProvider;
import net.logstash.logback.composite.loggingevent.StackTraceJsonProvider;
import net.logstash.logback.encoder.LoggingEventCompositeJsonEncoder;
import org.slf4j.LoggerFactory;

/** One JSON object a line on stderr: {@code ts}, {@code level}, {@code message}, fields of the event, {@code logger}, … */
final class Logging {
    /**
     * Libraries that print headers, tickets among them, when they are asked for details. They never are, whatever the level
     * of the configuration.
     */
    private static final List<String> TALKATIVE =
            List.of("io.grpc", "io.netty", "tech.ydb", "io.micrometer", "io.prometheus", "sun.net", "com.sun.net");

    /** To be called before anything is logged, and again when the level is known. */
    static void configure(LogLevel level) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder(context));
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        root.setLevel(Level.toLevel(level.name()));
        if (level == LogLevel.DEBUG) {
            TALKATIVE.forEach(name -> context.getLogger(name).setLevel(Level.INFO));
        }
    }

    private static LoggingEventCompositeJsonEncoder encoder(LoggerContext context) {
        LoggingEventJsonProviders providers = new LoggingEventJsonProviders();
        LoggingEventFormattedTimestampJsonProvider timestamp = new LoggingEventFormattedTimestampJsonProvider();
        timestamp.setFieldName("ts");
        timestamp.setTimeZone("UTC");
        providers.addProvider(timestamp);
        providers.addProvider(new LowerCaseLevel());
        providers.addProvider(new MessageJsonProvider());
        providers.addProvider(new KeyValuePairsJsonProvider());
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

    /** {@code level} as the Go program writes it. */
    private static final class LowerCaseLevel extends AbstractFieldJsonProvider<ILoggingEvent> {
        @Override
        public void writeTo(JsonGenerator generator, ILoggingEvent event) throws IOException {
            generator.writeStringField("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
        }
    }

    private Logging() {}
}
