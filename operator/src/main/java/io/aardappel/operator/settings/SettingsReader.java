package io.aardappel.operator.settings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the settings and gathers everything that is wrong with them. One reading, one thread. */
public final class SettingsReader {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern OBJECT = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
    private static final Pattern LISTEN = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^:\\s]*):([0-9]{1,5})");
    private static final int PORT_MAX = 65_535;
    private static final int IMAGE_LENGTH_MAX = 512;
    private static final int IDENTITY_LENGTH_MAX = 200;

    private final Map<Setting, String> flags;
    private final Map<String, String> environment;
    private final List<String> problems = new ArrayList<>();

    private SettingsReader(Map<Setting, String> flags, Map<String, String> environment) {
        this.flags = flags;
        this.environment = environment;
    }

    /**
     * Reads all of them.
     *
     * @param flags those that were given
     * @param environment of the process; a variable that is empty counts as not set
     */
    public static Reading read(Map<Setting, String> flags, Map<String, String> environment) {
        SettingsReader reader = new SettingsReader(flags, environment);
        OperatorSettings settings = reader.settings();
        return reader.problems.isEmpty() ? new Reading.Accepted(settings) : new Reading.Refused(reader.problems);
    }

    private OperatorSettings settings() {
        return new OperatorSettings(
                scope(),
                image(),
                duration(Setting.POLL_PERIOD, Duration.ofSeconds(1), Duration.ofMinutes(10)),
                number(Setting.DATABASE_THREADS),
                number(Setting.RECONCILE_THREADS),
                election(),
                name(Setting.POD_NAMESPACE, LABEL),
                identity(),
                listen(),
                duration(Setting.STOP_TIMEOUT, Duration.ofSeconds(1), Duration.ofMinutes(5)),
                level());
    }

    /** As written, or what it is when nobody writes it. */
    private String text(Setting setting) {
        return written(setting).orElse(setting.fallback());
    }

    private Optional<String> written(Setting setting) {
        String flag = flags.get(setting);
        String value = flag == null ? environment.get(setting.variable()) : flag;
        return Optional.ofNullable(value).map(String::strip).filter(text -> flag != null || !text.isEmpty());
    }

    /** As the person wrote it who sets it, or would. */
    private String name(Setting setting) {
        return flags.containsKey(setting) ? setting.flag() : setting.variable();
    }

    private void refuse(Setting setting) {
        refuse(setting, "is \"" + text(setting) + "\"");
    }

    private void refuse(Setting setting, String fault) {
        problems.add(name(setting) + " " + fault + ", but must be "
                + setting.allowed().replace("`", ""));
    }

    private Optional<Scope> scope() {
        String text = text(Setting.WATCH_NAMESPACES);
        if (text.equals("own")) {
            return Optional.empty();
        }
        if (text.equals("all")) {
            return Optional.of(Scope.everything());
        }
        Set<String> names = new LinkedHashSet<>();
        for (String name : Arrays.asList(text.split(",", -1))) {
            String one = name.strip();
            if (LABEL.matcher(one).matches()) {
                names.add(one);
            } else {
                refuse(
                        Setting.WATCH_NAMESPACES,
                        "is \"" + text + "\", in which "
                                + (one.isEmpty() ? "a name is empty" : "\"" + one + "\" is no name of a namespace"));
            }
        }
        return Optional.of(Scope.of(names));
    }

    private String image() {
        String text = text(Setting.REPLICATOR_IMAGE);
        if (text.isEmpty() || text.length() > IMAGE_LENGTH_MAX || text.chars().anyMatch(Character::isWhitespace)) {
            if (written(Setting.REPLICATOR_IMAGE).isPresent()) {
                refuse(Setting.REPLICATOR_IMAGE);
            } else {
                problems.add("neither " + Setting.REPLICATOR_IMAGE.flag() + " nor "
                        + Setting.REPLICATOR_IMAGE.variable() + " is set, but one of them must be: "
                        + Setting.REPLICATOR_IMAGE.allowed());
            }
        }
        return text;
    }

    private Duration duration(Setting setting, Duration least, Duration most) {
        Duration value = parsed(text(setting));
        if (value == null) {
            refuse(setting, "is \"" + text(setting) + "\", which is no whole number with ms, s, m or h");
            return least;
        }
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            refuse(setting);
        }
        return value;
    }

    private static @Nullable Duration parsed(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    private int number(Setting setting) {
        String text = text(setting);
        int value = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
        if (value < 1 || value > 64) {
            refuse(setting);
        }
        return value;
    }

    private Optional<OperatorSettings.Election> election() {
        Optional<String> namespace = name(Setting.LEASE_NAMESPACE, LABEL);
        Optional<String> name = name(Setting.LEASE_NAME, OBJECT);
        int before = problems.size();
        Duration duration = duration(Setting.LEASE_DURATION, Duration.ofSeconds(1), Duration.ofMinutes(10));
        Duration deadline = duration(Setting.LEASE_RENEW_DEADLINE, Duration.ofMillis(500), Duration.ofMinutes(10));
        Duration retry = duration(Setting.LEASE_RETRY_PERIOD, Duration.ofMillis(100), Duration.ofMinutes(1));
        if (problems.size() == before) { // each is one by itself
            if (deadline.compareTo(duration) >= 0) {
                refuse(Setting.LEASE_RENEW_DEADLINE, "shorter than", Setting.LEASE_DURATION, "longer than");
            }
            if (retry.multipliedBy(2).compareTo(deadline) >= 0) {
                refuse(
                        Setting.LEASE_RETRY_PERIOD,
                        "shorter than half of",
                        Setting.LEASE_RENEW_DEADLINE,
                        "longer than twice");
            }
        }
        String wanted = text(Setting.LEADER_ELECTION);
        if (!wanted.equals("true") && !wanted.equals("false")) {
            refuse(Setting.LEADER_ELECTION);
        }
        return wanted.equals("true")
                ? Optional.of(new OperatorSettings.Election(name.orElse(""), namespace, duration, deadline, retry))
                : Optional.empty();
    }

    /**
     * Two that do not go together: blames the one that somebody set.
     *
     * @param below how the short one must be to the long one
     * @param above how the long one must be to the short one
     */
    private void refuse(Setting shorter, String below, Setting longer, String above) {
        boolean set = written(shorter).isPresent() || written(longer).isEmpty();
        Setting blamed = set ? shorter : longer;
        Setting other = set ? longer : shorter;
        problems.add(name(blamed) + " is \"" + text(blamed) + "\", but must be " + (set ? below : above) + " "
                + name(other) + ", which is \"" + text(other) + "\""
                + (written(other).isPresent() ? "" : ", its default") + ": change either");
    }

    /** Empty where nothing is written and nothing is the default. */
    private Optional<String> name(Setting setting, Pattern form) {
        String text = text(setting);
        if (text.isEmpty() && !flags.containsKey(setting)) {
            return Optional.empty();
        }
        if (!form.matcher(text).matches()) {
            refuse(setting);
        }
        return Optional.of(text);
    }

    private String identity() {
        String text = written(Setting.POD_NAME).orElseGet(() -> {
            String host = environment.get("HOSTNAME");
            return host == null || host.isBlank()
                    ? "operator-" + ProcessHandle.current().pid()
                    : host.strip();
        });
        if (text.isEmpty() || text.length() > IDENTITY_LENGTH_MAX) {
            refuse(Setting.POD_NAME, "has " + text.length() + " characters");
        }
        return text;
    }

    private OperatorSettings.Listen listen() {
        String text = text(Setting.LISTEN);
        Matcher matcher = LISTEN.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > PORT_MAX) {
            refuse(Setting.LISTEN);
            return new OperatorSettings.Listen("", 0);
        }
        String host = matcher.group(1);
        boolean bracketed = host.startsWith("[");
        return new OperatorSettings.Listen(
                bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(matcher.group(2)));
    }

    private OperatorSettings.Level level() {
        String text = text(Setting.LOG_LEVEL);
        for (OperatorSettings.Level level : OperatorSettings.Level.values()) {
            if (level.name().toLowerCase(Locale.ROOT).equals(text)) {
                return level;
            }
        }
        refuse(Setting.LOG_LEVEL);
        return OperatorSettings.Level.INFO;
    }
}
