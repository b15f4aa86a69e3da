package io.aardappel.replicator.app;

import io.aardappel.access.auth.CredentialFile;
import io.aardappel.access.auth.ExchangeClient;
import io.aardappel.access.auth.IssueException;
import io.aardappel.access.auth.Issuer;
import io.aardappel.access.auth.RenewalPace;
import io.aardappel.access.auth.RenewedTicket;
import io.aardappel.access.auth.Ticket;
import io.aardappel.access.auth.TokenExchange;
import io.aardappel.access.auth.TokenFile;
import io.aardappel.access.ydb.Connection;
import io.aardappel.access.ydb.Login;
import io.aardappel.access.ydb.TrustedAuthorities;
import io.aardappel.replicator.config.Authentication;
import io.aardappel.replicator.config.DatabaseConfig;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.ydb.preflight.Finding;
import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** What the calls to both sides carry, for as long as the process lives. */
record Tickets(Ticket source, Ticket destination) implements AutoCloseable {
    /**
     * By the configuration; asks nobody yet.
     *
     * @throws IOException when a certificate file cannot be used; the message names it
     */
    static Tickets of(ReplicatorConfig config) throws IOException {
        return new Tickets(
                ticket(Side.SOURCE, config.source(), config.tuning()),
                ticket(Side.DESTINATION, config.destination(), config.tuning()));
    }

    /**
     * For what calls the source only.
     *
     * @throws IOException when a certificate file cannot be used; the message names it
     */
    static Tickets ofSource(ReplicatorConfig config) throws IOException {
        return new Tickets(ticket(Side.SOURCE, config.source(), config.tuning()), Ticket.none());
    }

    /**
     * For what calls the destination only.
     *
     * @throws IOException when a certificate file cannot be used; the message names it
     */
    static Tickets ofDestination(ReplicatorConfig config) throws IOException {
        return new Tickets(Ticket.none(), ticket(Side.DESTINATION, config.destination(), config.tuning()));
    }

    private static Ticket ticket(Side side, DatabaseConfig database, Tuning tuning) throws IOException {
        Duration connectTimeout = tuning.get(Tuning.CONNECT_TIMEOUT);
        Authentication authentication = database.authentication();
        if (authentication instanceof Authentication.StaticToken fixed) {
            return Ticket.fixed(fixed.token().reveal());
        }
        if (authentication instanceof Authentication.TokenFile inFile) {
            return renewed(side, new TokenFile(side.tokenFile(), inFile.file()));
        }
        if (authentication instanceof Authentication.TokenExchange exchange) {
            CredentialFile file =
                    new CredentialFile(side.oauth2File(), exchange.file(), side.oauth2Endpoint(), exchange.endpoint());
            ExchangeClient client = new ExchangeClient(System.getenv(), tls(database), connectTimeout);
            return renewed(side, new TokenExchange(file, client, InstantSource.system()));
        }
        if (authentication instanceof Authentication.Login login) {
            Connection stranger = Side.connection(database, Ticket.none(), connectTimeout);
            return renewed(
                    side,
                    new Login(
                            stranger, login.user(), login.passwordFile(), side.passwordFile(), InstantSource.system()));
        }
        return Ticket.none();
    }

    private static Ticket renewed(Side side, Issuer issuer) {
        return new RenewedTicket(side.label(), issuer, RenewalPace.STANDARD);
    }

    /** A token service may well have the certificate of the same authority as its database. */
    private static SSLContext tls(DatabaseConfig database) throws IOException {
        TrustedAuthorities authorities = Side.authorities(database);
        try {
            return authorities == null ? SSLContext.getDefault() : authorities.context();
        } catch (NoSuchAlgorithmException broken) {
            throw new IllegalStateException("the runtime cannot set up TLS", broken);
        }
    }

    /** Sees to it that there are tickets. Waits. Answers what hinders it, nothing when nothing does. */
    List<Finding> obtain() {
        List<Finding> findings = new ArrayList<>();
        obtain(source, Side.SOURCE).ifPresent(findings::add);
        obtain(destination, Side.DESTINATION).ifPresent(findings::add);
        return findings;
    }

    private static Optional<Finding> obtain(Ticket ticket, Side side) {
        if (!(ticket instanceof RenewedTicket renewed)) {
            return Optional.empty();
        }
        try {
            renewed.obtain();
            return Optional.empty();
        } catch (IssueException vain) {
            Finding.Severity severity = vain.isPassing() ? Finding.Severity.UNREACHABLE : Finding.Severity.ERROR;
            return Optional.of(new Finding(severity, "the token of the " + side.label(), vain.what(), vain.remedy()));
        }
    }

    @Override
    public void close() {
        close(source);
        close(destination);
    }

    private static void close(Ticket ticket) {
        if (ticket instanceof RenewedTicket renewed) {
            renewed.close();
        }
    }
}
