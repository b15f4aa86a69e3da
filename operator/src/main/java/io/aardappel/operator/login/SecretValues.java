package io.aardappel.operator.login;

import io.aardappel.crds.api.SecretKey;
import io.aardappel.operator.plan.Digest;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys of Secrets, each read by a GET of its Secret by name when somebody looks at it and a period has passed since
 * the last GET. Nothing is listed or watched, and of a Secret only what was asked for is kept, so that memory does
 * not grow with what else is in the cluster. When the API server is away what it said last counts on. What nobody
 * looks at is forgotten. Thread-safe.
 */
public final class SecretValues {
    /** A Secret that was replaced is noticed within this time by whoever looks as often. */
    public static final Duration PERIOD = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(SecretValues.class);

    /** After so many periods without a look a key is forgotten. */
    private static final int PERIODS_KEPT = 20;

    private static final int HASH_DIGITS = 16;
    private static final int FORBIDDEN = 403;

    /** Where Secrets are read. */
    @FunctionalInterface
    interface Reader {
        /**
         * One of them, by name; null when there is none.
         *
         * @throws KubernetesClientException when the API server does not say
         */
        @Nullable
        Secret get(String namespace, String name);
    }

    private record Place(String namespace, SecretKey key) {
        /** For people. */
        @Override
        public String toString() {
            return "key `" + key.key() + "` of the Secret " + namespace + "/" + key.name();
        }
    }

    private final Reader reader;
    private final InstantSource clock;
    private final Duration period;
    private final Map<Place, Entry> entries = new ConcurrentHashMap<>();

    /** Reads by this client, at most once in a period. */
    public SecretValues(KubernetesClient client, InstantSource clock, Duration period) {
        this(
                (namespace, name) ->
                        client.secrets().inNamespace(namespace).withName(name).get(),
                clock,
                period);
    }

    SecretValues(Reader reader, InstantSource clock, Duration period) {
        this.reader = reader;
        this.clock = clock;
        this.period = period;
    }

    /** How people find a key. */
    static String name(String namespace, SecretKey key) {
        return new Place(namespace, key).toString();
    }

    /** What it holds, read anew if that is due. May wait for the API server. */
    SecretValue look(String namespace, SecretKey key) {
        Instant now = clock.instant();
        Instant limit = now.minus(period.multipliedBy(PERIODS_KEPT));
        entries.values().removeIf(entry -> entry.looked.isBefore(limit));
        return entries.computeIfAbsent(new Place(namespace, key), place -> new Entry(place, now))
                .look(now);
    }

    /** What it held when somebody last looked. Never waits. */
    SecretValue known(String namespace, SecretKey key) {
        Place place = new Place(namespace, key);
        Entry entry = entries.get(place);
        return entry == null ? notRead(place) : entry.value;
    }

    private static SecretValue notRead(Place place) {
        return new SecretValue.Unread(place + " was not read yet", "Wait a moment", false);
    }

    /** One key. Read by one thread at a time. */
    private final class Entry {
        private final Place place;
        private volatile Instant looked;
        private volatile SecretValue value;
        private @Nullable Instant read;
        private boolean told;

        Entry(Place place, Instant now) {
            this.place = place;
            this.looked = now;
            this.value = notRead(place);
        }

        synchronized SecretValue look(Instant now) {
            looked = now;
            Instant last = read;
            if (last == null || !now.isBefore(last.plus(period))) {
                read = now;
                value = fetch();
            }
            return value;
        }

        private SecretValue fetch() {
            if (!ObjectName.isOne(place.key().name())) {
                return new SecretValue.Missing(
                        place + " is not there: no Secret can have such a name",
                        "Name the right Secret in the resource");
            }
            try {
                SecretValue found =
                        found(reader.get(place.namespace(), place.key().name()));
                if (told) {
                    LOG.info("{} is read again", place);
                }
                told = false;
                return found;
            } catch (KubernetesClientException refused) {
                return value instanceof SecretValue.Unread ? unread(refused) : last(refused);
            }
        }

        private SecretValue last(KubernetesClientException refused) {
            if (!told) {
                told = true;
                LOG.warn("{} cannot be read ({}); what was read last counts on", place, ApiRefusal.words(refused));
            }
            return value;
        }

        private SecretValue unread(KubernetesClientException refused) {
            return new SecretValue.Unread(
                    place + " cannot be read: " + ApiRefusal.words(refused),
                    refused.getCode() == FORBIDDEN
                            ? "Give the operator the right to get that Secret"
                            : "See that the API server is well",
                    ApiRefusal.isLasting(refused));
        }

        private SecretValue found(@Nullable Secret secret) {
            String within = " (seen within " + period.toSeconds() + " s)";
            if (secret == null) {
                return new SecretValue.Missing(
                        place + " is not there: there is no such Secret", "Create it, with this key" + within);
            }
            String encoded = secret.getData() == null
                    ? null
                    : secret.getData().get(place.key().key());
            if (encoded == null) {
                return new SecretValue.Missing(
                        place + " is not there: the Secret has other keys",
                        "Add it, or name the right key in the resource" + within);
            }
            return new SecretValue.Held(
                    Base64.getDecoder().decode(encoded),
                    // With the uid, which nobody knows who may not read the Secret: else a short password could be
                    // guessed from it.
                    Digest.of(secret.getMetadata().getUid() + "\n" + encoded, HASH_DIGITS));
        }
    }
}
