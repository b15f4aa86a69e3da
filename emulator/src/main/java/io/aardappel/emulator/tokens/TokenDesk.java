package io.aardappel.emulator.tokens;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.aardappel.emulator.grpc.Accounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a request for a token is answered, after RFC 8693, and goes wrong when a test asks for it. Takes any subject
 * token unless told which. Thread-safe.
 */
public final class TokenDesk {
    /** The user that the tickets stand for. */
    public static final String USER = "exchanged@builtin";

    static final String GRANT_TYPE = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final int KEPT = 1_000;

    /**
     * What is sent back.
     *
     * @param after how long it is held back
     */
    record Answer(int status, ObjectNode body, Duration after) {}

    private final Accounts accounts;
    private final List<Map<String, List<String>>> requests = new ArrayList<>();
    private final List<String> tickets = new ArrayList<>();
    private Set<String> subjects = Set.of();
    private Duration lifetime = Duration.ofHours(1);
    private Duration delay = Duration.ZERO;
    private int refusal;
    private int refusalsLeft;
    private int issued;

    /** @param accounts where the tickets are made */
    public TokenDesk(Accounts accounts) {
        this.accounts = accounts;
    }

    /** How long the tickets issued from now on are good for; whole seconds, at least one. */
    public synchronized void setLifetime(Duration lasts) {
        if (lasts.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("tokens live for whole seconds, at least one; not " + lasts);
        }
        lifetime = Duration.ofSeconds(lasts.toSeconds());
    }

    /** How long each answer from now on is held back. */
    public synchronized void setDelay(Duration held) {
        delay = held;
    }

    /** Answers the next requests with that status instead of a token. */
    public synchronized void refuse(int status, int times) {
        if (status < 300 || status > 599) {
            throw new IllegalArgumentException("a refusal has a status from 300 to 599, not " + status);
        }
        refusal = status;
        refusalsLeft = times;
    }

    /** From now on only these subject tokens are taken, as after a rotation; none means any. */
    public synchronized void acceptOnly(Collection<String> subjectTokens) {
        subjects = Set.copyOf(subjectTokens);
    }

    /** Every ticket handed out so far, those of logins too, is no longer known. */
    public void expire() {
        accounts.expireIssued();
    }

    /** The parameters of the requests so far, the last thousand, whatever became of them. */
    public synchronized List<Map<String, List<String>>> requests() {
        return List.copyOf(requests);
    }

    /** How many tickets have been issued. */
    public synchronized int issued() {
        return issued;
    }

    /** The tickets that have been issued, the last thousand, so that tests can look where they do not belong. */
    public synchronized List<String> tickets() {
        return List.copyOf(tickets);
    }

    synchronized Answer answer(Map<String, List<String>> form) {
        keep(requests, form);
        if (refusalsLeft > 0) {
            refusalsLeft--;
            return error(refusal, "refused_on_purpose", "a test asked for this");
        }
        List<String> grant = form.getOrDefault("grant_type", List.of());
        if (!grant.equals(List.of(GRANT_TYPE))) {
            return error(400, "unsupported_grant_type", "grant_type must be " + GRANT_TYPE);
        }
        List<String> subject = form.getOrDefault("subject_token", List.of());
        if (subject.size() != 1 || !form.containsKey("subject_token_type")) {
            return error(400, "invalid_request", "subject_token and subject_token_type must be given");
        }
        if (!subjects.isEmpty() && !subjects.contains(subject.get(0))) {
            return error(400, "invalid_grant", "the subject token is not accepted");
        }
        return token(form.get("scope"));
    }

    private static <T> void keep(List<T> list, T newest) {
        if (list.size() == KEPT) {
            list.remove(0);
        }
        list.add(newest);
    }

    private Answer token(@Nullable List<String> scope) {
        issued++;
        String ticket = accounts.issue(USER, lifetime);
        keep(tickets, ticket);
        ObjectNode body = JsonNodeFactory.instance
                .objectNode()
                .put("access_token", ticket)
                .put("issued_token_type", ACCESS_TOKEN)
                .put("token_type", "Bearer")
                .put("expires_in", lifetime.toSeconds());
        if (scope != null) {
            body.put("scope", String.join(" ", scope));
        }
        return new Answer(200, body, delay);
    }

    private Answer error(int status, String error, String description) {
        ObjectNode body =
                JsonNodeFactory.instance.objectNode().put("error", error).put("error_description", description);
        return new Answer(status, body, delay);
    }
}
