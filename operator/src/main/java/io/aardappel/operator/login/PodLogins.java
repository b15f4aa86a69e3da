package io.aardappel.operator.login;

import io.aardappel.access.auth.Content;
import io.aardappel.access.auth.CredentialFile;
import io.aardappel.access.auth.ExchangeClient;
import io.aardappel.access.auth.IssueException;
import io.aardappel.access.auth.Issuer;
import io.aardappel.access.auth.NamedFiles;
import io.aardappel.access.auth.RenewalPace;
import io.aardappel.access.auth.RenewedTicket;
import io.aardappel.access.auth.Ticket;
import io.aardappel.access.auth.TokenExchange;
import io.aardappel.access.auth.TokenFile;
import io.aardappel.access.ydb.Address;
import io.aardappel.access.ydb.Connection;
import io.aardappel.access.ydb.ConnectionString;
import io.aardappel.access.ydb.ConnectionString.MalformedException;
import io.aardappel.access.ydb.Knock;
import io.aardappel.access.ydb.Obstacle;
import io.aardappel.access.ydb.TrustedAuthorities;
import io.aardappel.crds.api.Authentication;
import io.aardappel.crds.api.Database;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.SecretKey;
import io.aardappel.crds.api.ServiceAccountToken;
import io.aardappel.operator.observe.PolledStates;
import io.aardappel.operator.observe.SecretBook;
import io.aardappel.operator.plan.Digest;
import io.aardappel.operator.plan.Observed;
import io.aardappel.operator.plan.Reason;
import io.aardappel.operator.resources.Identity;
import io.aardappel.operator.resources.PodLogin;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.grpc.GrpcTransport;

/**
 * Opens the databases of a Replication as its pods do, with what its Secrets hold or with a token of its service
 * account. What is secret stays in memory. A Secret is read by whoever asks {@link #of}, as reconcilers do at every
 * pass; open connections use what was read last, so that a Secret that is replaced takes effect without anybody
 * editing the resource. Thread-safe.
 */
public final class PodLogins implements PolledStates.Destinations, SecretBook {
    private static final int HASH_DIGITS = 16;
    private static final Duration TICKET_WITHIN = Duration.ofSeconds(5);

    /**
     * Where a pod's tries again, this one lets the poll fail: it comes again soon, and its thread is needed by
     * others. The first pause is as long as the first ticket may take, so that there is one try.
     */
    private static final RenewalPace PACE = new RenewalPace(
            TICKET_WITHIN, TICKET_WITHIN, TICKET_WITHIN, Duration.ofSeconds(10), Duration.ofMinutes(10));

    private final SecretValues secrets;
    private final AccountTokens accounts;
    private final Map<String, String> environment;
    private final InstantSource clock;

    /**
     * Logs in by these.
     *
     * @param environment of the process, which names proxies
     * @param clock the wall's, for signed tokens
     */
    public PodLogins(
            KubernetesClient client, SecretValues secrets, Map<String, String> environment, InstantSource clock) {
        this.secrets = secrets;
        this.accounts = new AccountTokens(client, clock);
        this.environment = Map.copyOf(environment);
        this.clock = clock;
    }

    @Override
    public Seen of(Replication resource) {
        String namespace = resource.getMetadata().getNamespace();
        List<String> hashes = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        List<SecretKey> keys = PodLogin.secrets(resource.getSpec());
        for (SecretKey key : keys) {
            SecretValue value = secrets.look(namespace, key);
            if (value instanceof SecretValue.Held held) {
                hashes.add(key.name() + "/" + key.key() + "=" + held.hash());
            } else if (value instanceof SecretValue.Missing one) {
                missing.add(one.what() + ". " + one.remedy());
            } else if (value instanceof SecretValue.Unread one && one.lasting()) {
                refused.add(one.what() + ". " + one.remedy());
            }
        }
        if (resource.getSpec().destination().auth().serviceAccountToken() != null) {
            accounts.refusal(resource).ifPresent(missing::add);
        }
        boolean whole = !keys.isEmpty() && hashes.size() == keys.size();
        return new Seen(
                whole ? Digest.of(String.join("\n", hashes), HASH_DIGITS) : "",
                obstacle(Reason.SECRET_NOT_FOUND, missing).or(() -> obstacle(Reason.REFUSED_BY_API_SERVER, refused)));
    }

    private static Optional<Observed.Obstacle> obstacle(Reason reason, List<String> words) {
        return words.isEmpty()
                ? Optional.empty()
                : Optional.of(new Observed.Obstacle(reason, String.join("; ", words)));
    }

    @Override
    public GrpcTransport open(Replication resource) {
        return open(resource, resource.getSpec().destination(), "destination");
    }

    /** The same for the source. */
    public GrpcTransport openSource(Replication resource) {
        return open(resource, resource.getSpec().source(), "source");
    }

    private GrpcTransport open(Replication resource, Database database, String side) {
        try {
            return opened(resource, database, side);
        } catch (IssueException none) {
            throw new LoginException(none.what(), none.remedy());
        } catch (MalformedException malformed) {
            throw new LoginException(
                    "the connection string of the " + side + " " + malformed.fault(), "Correct spec." + side);
        } catch (IOException unusable) {
            throw new LoginException(
                    String.valueOf(unusable.getMessage()), "Write certificates in PEM into it (tls.caSecretRef)");
        }
    }

    private GrpcTransport opened(Replication resource, Database database, String side)
            throws IssueException, MalformedException, IOException {
        Address where = ConnectionString.parse(Identity.place(database));
        TrustedAuthorities authorities = authorities(resource, database);
        Optional<Obstacle> closed = Knock.at(connection(database, where, Ticket.none(), authorities));
        if (closed.isPresent()) {
            throw new LoginException(
                    where + ": " + closed.get().what(), closed.get().remedy());
        }
        Optional<Issuer> issuer = issuer(resource, database.auth(), authorities);
        return issuer.isEmpty()
                ? connection(database, where, Ticket.none(), authorities).open()
                : renewing(resource, side, issuer.get(), ticket -> connection(database, where, ticket, authorities));
    }

    private static Connection connection(
            Database database, Address where, Ticket ticket, @Nullable TrustedAuthorities authorities) {
        return new Connection(
                where, Boolean.TRUE.equals(database.allNodes()), ticket, authorities, Connection.CONNECT_TIMEOUT);
    }

    /** What a ticket is to be used for. */
    private interface Use {
        Connection of(Ticket ticket);
    }

    private static GrpcTransport renewing(Replication resource, String side, Issuer issuer, Use use)
            throws IssueException {
        RenewedTicket ticket = new RenewedTicket(
                side + " of " + resource.getMetadata().getNamespace() + "/"
                        + resource.getMetadata().getName(),
                issuer,
                PACE);
        boolean opened = false;
        try {
            ticket.obtain();
            GrpcTransport transport = new TicketedTransport(use.of(ticket).open(), ticket::close);
            opened = true;
            return transport;
        } finally {
            if (!opened) {
                ticket.close();
            }
        }
    }

    private @Nullable TrustedAuthorities authorities(Replication resource, Database database)
            throws IssueException, IOException {
        return database.tls() == null
                ? null
                : TrustedAuthorities.in(content(resource, database.tls().caSecretRef()));
    }

    private Content content(Replication resource, SecretKey key) {
        return new SecretContent(secrets, resource.getMetadata().getNamespace(), key);
    }

    /** Empty for a login without a ticket. */
    private Optional<Issuer> issuer(
            Replication resource, Authentication auth, @Nullable TrustedAuthorities authorities) {
        if (auth.staticTokenSecretRef() != null) {
            return Optional.of(new TokenFile(content(resource, auth.staticTokenSecretRef())));
        }
        if (auth.oauth2SecretRef() != null) {
            Content credentials = content(resource, auth.oauth2SecretRef());
            return Optional.of(
                    exchange(credentials, (where, path) -> new NoFile(credentials.name(), where), authorities));
        }
        ServiceAccountToken token = auth.serviceAccountToken();
        if (token == null) {
            return Optional.empty();
        }
        Content account = accounts.of(resource, token);
        return Optional.of(exchange(new Exchange(account.name(), token), (where, path) -> account, authorities));
    }

    private Issuer exchange(Content credentials, NamedFiles files, @Nullable TrustedAuthorities authorities) {
        return new TokenExchange(
                new CredentialFile(credentials, files, "", Optional.empty()),
                new ExchangeClient(environment, tls(authorities), Connection.CONNECT_TIMEOUT),
                clock);
    }

    /** A token service may well have the certificate of the same authority as its database. */
    private static SSLContext tls(@Nullable TrustedAuthorities authorities) {
        try {
            return authorities == null ? SSLContext.getDefault() : authorities.context();
        } catch (NoSuchAlgorithmException broken) {
            throw new IllegalStateException("the runtime cannot set up TLS", broken);
        }
    }

    /** What pods read in their ConfigMap; the one file that it names is the account's token. */
    private record Exchange(String account, ServiceAccountToken token) implements Content {
        @Override
        public String name() {
            return account;
        }

        @Override
        public byte[] bytes() {
            return PodLogin.destinationExchange(token).getBytes(StandardCharsets.UTF_8);
        }
    }

    /**
     * A file that the credentials of a Secret name. It would be one of the operator's own, such as the token by which
     * it may do what the Secret's author may not, and would be sent wherever the author says: it is never read.
     */
    private record NoFile(String secret, String where) implements Content {
        @Override
        public String name() {
            return where;
        }

        @Override
        public byte[] bytes() throws IssueException {
            throw IssueException.lasting(
                    secret + ": " + where + " names a file, which the operator does not read: files are the pods' own",
                    "Write the token itself into the Secret, or use auth.serviceAccountToken");
        }
    }
}
