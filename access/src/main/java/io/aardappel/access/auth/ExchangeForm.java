package io.aardappel.access.auth;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parameters of one request, some of them secret. Not thread-safe. */
final class ExchangeForm {
    private static final Pattern LIKE_A_TOKEN = Pattern.compile("[A-Za-z0-9+/=_.\\-]{32,}");
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\s\\p{Cntrl}]+");
    private static final String HIDDEN = "(hidden)";
    private static final int WORDS_MAX = 300;

    private final StringBuilder encoded = new StringBuilder();
    private final List<String> secrets = new ArrayList<>();

    private ExchangeForm() {}

    /** @throws IssueException when there is no token to exchange now */
    static ExchangeForm of(ExchangeRequest request, Instant now) throws IssueException {
        ExchangeForm form = new ExchangeForm();
        form.add("grant_type", request.grantType());
        request.resources().forEach(resource -> form.add("resource", resource));
        request.audiences().forEach(audience -> form.add("audience", audience));
        if (!request.scope().isEmpty()) {
            form.add("scope", request.scope());
        }
        form.add("requested_token_type", request.requestedTokenType());
        form.add("subject_token", request.subject(), now);
        form.add("actor_token", request.actor(), now);
        return form;
    }

    private void add(String name, @Nullable TokenOrigin origin, Instant now) throws IssueException {
        if (origin != null) {
            String token = origin.token(now);
            secrets.add(token);
            add(name, token);
            add(name + "_type", origin.type());
        }
    }

    private void add(String name, String value) {
        encoded.append(encoded.isEmpty() ? "" : "&")
                .append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
    }

    /** As it is sent. */
    String encoded() {
        return encoded.toString();
    }

    /** The words of a token service in one line, without the tokens of this form or what looks like one. */
    String redacted(String words) {
        String shown = UNPRINTABLE.matcher(words).replaceAll(" ");
        for (String secret : secrets) {
            shown = shown.replace(secret, HIDDEN);
        }
        shown = LIKE_A_TOKEN.matcher(shown).replaceAll(HIDDEN);
        return shown.length() > WORDS_MAX ? shown.substring(0, WORDS_MAX) + "..." : shown;
    }

    /** Without its values. */
    @Override
    public String toString() {
        return "form";
    }
}
