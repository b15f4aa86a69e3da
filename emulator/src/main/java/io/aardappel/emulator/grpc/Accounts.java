package io.aardappel.emulator.grpc;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Who may call, and what for. With neither tokens nor users everybody may, under any ticket or none. Thread-safe. */
public final class Accounts {
    /** The name of callers without a ticket. */
    public static final String ANONYMOUS = "anonymous@builtin";

    private static final Duration LOGIN_LASTS = Duration.ofHours(12);

    private record Login(String user, Instant expires) {}

    private final Map<String, String> passwords;
    private final Map<String, String> tokens;
    private final boolean always;
    private final Map<String, Login> logins = new ConcurrentHashMap<>();
    private final Permissions permissions = new Permissions();
    private final Set<String> dismissed = ConcurrentHashMap.newKeySet();
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /**
     * @param passwords by user, for Auth.Login
     * @param tokens users by static token
     */
    public Accounts(Map<String, String> passwords, Map<String, String> tokens, InstantSource clock) {
        this(passwords, tokens, false, clock);
    }

    /**
     * The same, with a say in whether tickets are needed.
     *
     * @param always calls need a ticket even with neither tokens nor users, because some are issued otherwise
     */
    public Accounts(Map<String, String> passwords, Map<String, String> tokens, boolean always, InstantSource clock) {
        this.always = always;
        this.passwords = Map.copyOf(passwords);
        this.tokens = Map.copyOf(tokens);
        this.clock = clock;
    }

    /** What users may do. */
    public Permissions permissions() {
        return permissions;
    }

    /** The static token is no longer known. */
    public void dismiss(String token) {
        dismissed.add(token);
    }

    /** True when a call needs a ticket that is known. */
    public boolean required() {
        return always || !passwords.isEmpty() || !tokens.isEmpty();
    }

    /** The user of a ticket, empty when the call must be refused. */
    public Optional<String> userOf(@Nullable String ticket) {
        if (!required()) {
            return Optional.of(ANONYMOUS);
        }
        if (ticket == null) {
            return Optional.empty();
        }
        String bare = ticket.startsWith("Bearer ") ? ticket.substring("Bearer ".length()) : ticket;
        String user = dismissed.contains(bare) ? null : tokens.get(bare);
        return user != null ? Optional.of(user) : userOfLogin(bare);
    }

    private Optional<String> userOfLogin(String ticket) {
        Login login = logins.get(ticket);
        if (login == null) {
            return Optional.empty();
        }
        if (clock.instant().isAfter(login.expires())) {
            logins.remove(ticket);
            return Optional.empty();
        }
        return Optional.of(login.user());
    }

    /** A new ticket for the user, empty when user or password are wrong. Without users any password is right. */
    public Optional<String> login(String user, String password) {
        if (!passwords.isEmpty() && !password.equals(passwords.get(user))) {
            return Optional.empty();
        }
        return Optional.of(issue(user));
    }

    /** A new ticket for the user, unasked: for token services that stand in front. */
    public String issue(String user) {
        return issue(user, LOGIN_LASTS);
    }

    /** The same for a ticket that is known for so long. */
    public String issue(String user, Duration lasts) {
        byte[] secret = new byte[24];
        random.nextBytes(secret);
        String ticket = HexFormat.of().formatHex(secret);
        Instant now = clock.instant();
        logins.values().removeIf(login -> now.isAfter(login.expires()));
        logins.put(ticket, new Login(user, now.plus(lasts)));
        return ticket;
    }

    /** No ticket issued so far is known from now on; static tokens stay. */
    public void expireIssued() {
        logins.clear();
    }
}
