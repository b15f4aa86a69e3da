package io.aardappel.access.failure;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Turns what Java throws into words for a person, without the name of any class. Stateless. */
public final class Cause {
    /** Chains are a few long; one that is longer is a circle. */
    private static final int DEEPEST = 16;

    private static final String NO_TLS = "TLS could not be agreed on";

    private static final String LAST_WORD = "(?:Exception|Error|Failure)";

    /** A class that was thrown, with its package or without, and the colon before its message. */
    private static final Pattern THROWN = Pattern.compile(
            "\\b(?:[a-z_][\\w]*\\.)*(?:[A-Z]\\w*[.$])*([A-Z]\\w*?)" + LAST_WORD + "\\b(?=:?(?:\\s|$|[,;.)\\]\"']))");

    /** Any other class by its whole name: packages in lower case, at least two, and a name. */
    private static final Pattern CLASS = Pattern.compile(
            "\\b(?:java|javax|jdk|sun|com|org|io|tech|net)(?:\\.[a-z_][a-z0-9_]*)+\\.(?:[A-Z]\\w*[.$])*([A-Z]\\w*)"
                    + "(?:@[0-9a-f]+)?");

    private Cause() {}

    /**
     * Why something failed: what lies at the ground of it where that is known, else the message of the innermost that
     * has one, else the kind of the failure. Never empty, never with the name of a class.
     */
    public static String of(Throwable failed) {
        String words = kind(failed.getClass().getSimpleName());
        Optional<String> known = Optional.empty();
        boolean overTls = false;
        int depth = 0;
        for (Throwable one = failed; one != null && depth < DEEPEST; one = one.getCause(), depth++) {
            Optional<String> ground = known(one);
            if (known.isEmpty() || isNameless(one)) { // some connections are said to be refused by a name that is none
                known = ground;
            }
            words = message(one).orElse(words);
            overTls = overTls || one instanceof SSLException;
        }
        return known.orElse(overTls ? NO_TLS + ": " + words : words);
    }

    /** What kind of failure it is, where its message must not be told: it may quote what is secret. */
    public static String kind(Throwable failed) {
        return known(failed).orElseGet(() -> kind(failed.getClass().getSimpleName()));
    }

    /** A text that a library wrote, with words instead of the names of its classes. */
    public static String plain(String text) {
        return replaced(CLASS, replaced(THROWN, text));
    }

    private static String replaced(Pattern pattern, String text) {
        return pattern.matcher(text).replaceAll(found -> Matcher.quoteReplacement(kind(found.group(1))));
    }

    /** The message of one that speaks for itself: that of a wrapper repeats what it wraps. */
    private static Optional<String> message(Throwable one) {
        String message = one.getMessage();
        boolean wraps = one.getCause() != null
                && (one instanceof CompletionException
                        || one instanceof ExecutionException
                        || (message != null && message.equals(one.getCause().toString())));
        return message == null || message.isBlank() || wraps ? Optional.empty() : Optional.of(plain(message.strip()));
    }

    private static boolean isNameless(Throwable one) {
        return one instanceof UnresolvedAddressException || one instanceof UnknownHostException;
    }

    private static Optional<String> known(Throwable one) {
        if (isNameless(one)) {
            return Optional.of("no address is known for this name");
        }
        if (one instanceof HttpTimeoutException
                || one instanceof TimeoutException
                || one instanceof SocketTimeoutException) {
            return Optional.of("it did not answer in time");
        }
        if (one instanceof ConnectException) {
            return Optional.of("connection refused");
        }
        if (one instanceof NoRouteToHostException) {
            return Optional.of("there is no route to it");
        }
        if (one instanceof EOFException || one instanceof ClosedChannelException) {
            return Optional.of("the connection was closed");
        }
        if (one instanceof NoSuchFileException || one instanceof FileNotFoundException) {
            return Optional.of("no such file");
        }
        if (one instanceof AccessDeniedException) {
            return Optional.of("access denied");
        }
        if (one instanceof CharacterCodingException) {
            return Optional.of("it is no text in UTF-8");
        }
        if (one instanceof InterruptedException
                || one instanceof CancellationException
                || one instanceof RejectedExecutionException) {
            return Optional.of("the operation was cancelled");
        }
        return Optional.empty();
    }

    /** {@code SocketTimeoutException} is a socket timeout to a person. */
    private static String kind(String simpleName) {
        String words = simpleName
                .replaceFirst(LAST_WORD + "$", "")
                .replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ")
                .replace('$', ' ')
                .strip()
                .toLowerCase(Locale.ROOT);
        return switch (words) {
            case "" -> "unknown failure";
            case "io" -> "input or output failed";
            case "timeout" -> "no answer in time";
            case "connect" -> "connection refused";
            case "runtime", "execution", "completion" -> "failure";
            default -> words;
        };
    }
}
