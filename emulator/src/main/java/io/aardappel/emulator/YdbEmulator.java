package io.aardappel.emulator;

import io.aardappel.emulator.changefeed.FeedKnobs;
import io.aardappel.emulator.control.Commands;
import io.aardappel.emulator.control.ControlServer;
import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.grpc.Accounts;
import io.aardappel.emulator.grpc.Databases;
import io.aardappel.emulator.grpc.Permissions;
import io.aardappel.emulator.grpc.ServerContext;
import io.aardappel.emulator.grpc.ServerLimits;
import io.aardappel.emulator.grpc.ServerTls;
import io.aardappel.emulator.grpc.Tenant;
import io.aardappel.emulator.grpc.YdbServer;
import io.aardappel.emulator.grpc.topic.TopicFaults;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.Limits;
import io.aardappel.emulator.model.topic.Topics;
import io.aardappel.emulator.tokens.TokenDesk;
import io.aardappel.emulator.tokens.TokenServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A YDB in this process: it listens for SDKs, and gives tests its databases and its faults directly. All state is in memory
 * and gone with it. Thread-safe.
 *
 * <pre>{@code
 * try (YdbEmulator ydb = YdbEmulator.builder().database("/local").start()) {
 *     GrpcTransport transport = GrpcTransport.forConnectionString(ydb.connectionString()).build();
 * }
 * }</pre>
 */
public final class YdbEmulator implements AutoCloseable {
    private static final int NODE_ID = 1;

    private final ServerContext context;
    private final Workers workers;
    private final YdbServer server;
    private final String host;
    private final String tokenHost;
    private final String controlHost;
    private final @Nullable ServerTls tls;
    private final @Nullable TokenServer tokens;
    private final @Nullable ControlServer control;

    private YdbEmulator(Builder builder) {
        this.host = builder.host;
        this.tls = builder.tls;
        this.tokenHost = builder.tokenService == null ? "" : builder.tokenService.getHostString();
        this.controlHost = builder.control == null ? "" : builder.control.getHostString();
        this.workers = new Workers();
        Faults faults = new Faults(builder.seed, System::nanoTime);
        List<Tenant> tenants = builder.databases().stream()
                .map(path -> TenantFactory.create(path, builder.tableLimits, faults))
                .toList();
        if (builder.retainHistory) {
            tenants.forEach(tenant -> tenant.database().retainHistory());
        }
        Databases databases = new Databases(tenants);
        this.context = ServerContext.create(
                NODE_ID,
                databases,
                TenantFactory.queryEngine(databases),
                faults,
                builder.serverLimits,
                new Accounts(builder.passwords, builder.tokens, builder.tokenService != null, InstantSource.system()),
                workers.pool(),
                workers.timer());
        try {
            this.server = YdbServer.start(context, new InetSocketAddress(host, builder.port), tls);
        } catch (RuntimeException failure) {
            workers.close();
            throw failure;
        }
        this.tokens = builder.tokenService == null
                ? null
                : TokenServer.start(builder.tokenService, new TokenDesk(context.accounts()));
        this.control = builder.control == null
                ? null
                : ControlServer.start(
                        builder.control,
                        Commands.of(context, this::restartNode, tokens == null ? null : tokens.desk()));
        workers.repeat(new DutyCycle(context, this::restartNode));
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Host and port that clients dial. */
    public String endpoint() {
        return host + ":" + server.port();
    }

    public int port() {
        return server.port();
    }

    /** Connection string of the first database, as SDKs take it. */
    public String connectionString() {
        return connectionString(context.databases().all().get(0).path());
    }

    /** Connection string of one of the databases. */
    public String connectionString(String database) {
        String scheme = tls == null ? "grpc" : "grpcs";
        return scheme + "://" + endpoint() + "/?database="
                + context.databases().named(database).path();
    }

    /** The certificate that clients must trust, as PEM; empty without TLS. */
    public Optional<String> certificatePem() {
        return Optional.ofNullable(tls).map(ServerTls::certificatePem);
    }

    /** The first database. */
    public Database database() {
        return context.databases().all().get(0).database();
    }

    /** The database of that path. */
    public Database database(String path) {
        return context.databases().named(path).database();
    }

    /** The topics of the database of that path. */
    public Topics topics(String path) {
        return context.databases().named(path).topics();
    }

    /** How the records of a changefeed travel; its path is {@code <table>/<feed>}, absolute. */
    public FeedKnobs feedKnobs(String feed) {
        return context.databases().containing(feed).changefeeds().knobs(feed);
    }

    /** Faults of topics and their readers that take effect at once. */
    public TopicFaults topicFaults() {
        return server.topicFaults();
    }

    /** What goes wrong on purpose. */
    public Faults faults() {
        return context.faults();
    }

    /** Accounts of callers, to hand out tickets in tests. */
    public Accounts accounts() {
        return context.accounts();
    }

    /** What users may do, to take rights away in tests. */
    public Permissions permissions() {
        return context.accounts().permissions();
    }

    /** Where tokens are exchanged; empty when no token service was asked for. */
    public Optional<URI> tokenEndpoint() {
        return Optional.ofNullable(tokens)
                .map(open -> URI.create("http://" + tokenHost + ":" + open.port() + TokenServer.PATH));
    }

    /**
     * How tokens are exchanged.
     *
     * @throws IllegalStateException when no token service was asked for
     */
    public TokenDesk tokenDesk() {
        if (tokens == null) {
            throw new IllegalStateException("built without tokenService()");
        }
        return tokens.desk();
    }

    /** Host and port of the HTTP interface for faults, empty when it is not open. */
    public Optional<String> controlEndpoint() {
        return Optional.ofNullable(control).map(open -> controlHost + ":" + open.port());
    }

    /** Open sessions of all databases. */
    public int sessions() {
        return context.sessions().count();
    }

    /** As a restart of the node: all sessions are lost and all streams cut; what is committed stays. */
    public void restartNode() {
        server.restartNode();
    }

    /** Stops to listen, ends all calls and frees the port. */
    @Override
    public void close() {
        if (control != null) {
            control.close();
        }
        if (tokens != null) {
            tokens.close();
        }
        server.close();
        workers.close();
    }

    /** Settings of an emulator, with defaults for all. Not thread-safe. */
    public static final class Builder {
        private final List<String> databases = new ArrayList<>();
        private final Map<String, String> passwords = new LinkedHashMap<>();
        private final Map<String, String> tokens = new LinkedHashMap<>();
        private String host = "localhost";
        private int port;
        private @Nullable ServerTls tls;
        private @Nullable InetSocketAddress tokenService;
        private @Nullable InetSocketAddress control;
        private ServerLimits serverLimits = ServerLimits.DEFAULT;
        private Limits tableLimits = Limits.YDB;
        private boolean retainHistory;
        private long seed;

        private Builder() {}

        private List<String> databases() {
            return databases.isEmpty() ? List.of("/local") : databases;
        }

        /** Adds a database by its absolute path; without any there is {@code /local}. */
        public Builder database(String path) {
            if (!path.startsWith("/") || path.endsWith("/")) {
                throw new IllegalArgumentException("a database is an absolute path such as /local, was " + path);
            }
            databases.add(path);
            return this;
        }

        /** Where to listen; port 0, the default, picks a free one. */
        public Builder listen(String listenHost, int listenPort) {
            this.host = listenHost;
            this.port = listenPort;
            return this;
        }

        public Builder tls(ServerTls certificate) {
            this.tls = certificate;
            return this;
        }

        /** A user for Auth.Login. With a user or a token, calls without a known ticket are refused. */
        public Builder user(String name, String password) {
            passwords.put(name, password);
            return this;
        }

        /** A static token and the user that it stands for. */
        public Builder token(String token, String user) {
            tokens.put(token, user);
            return this;
        }

        /**
         * Opens an OAuth 2.0 endpoint that exchanges tokens for tickets; port 0 picks a free one. Calls without a known ticket
         * are then refused.
         */
        public Builder tokenService(String tokenHost, int tokenPort) {
            this.tokenService = new InetSocketAddress(tokenHost, tokenPort);
            return this;
        }

        public Builder serverLimits(ServerLimits limits) {
            this.serverLimits = limits;
            return this;
        }

        public Builder tableLimits(Limits limits) {
            this.tableLimits = limits;
            return this;
        }

        /** Keeps all versions of all rows, and all former columns, for {@link Database#tableBelow}. */
        public Builder retainHistory() {
            this.retainHistory = true;
            return this;
        }

        /** Opens the HTTP interface for faults there; port 0 picks a free one. */
        public Builder control(String controlHost, int controlPort) {
            this.control = new InetSocketAddress(controlHost, controlPort);
            return this;
        }

        /** Seed of faults that strike by chance. */
        public Builder seed(long value) {
            this.seed = value;
            return this;
        }

        /** Starts it; it accepts calls when this returns. */
        public YdbEmulator start() {
            return new YdbEmulator(this);
        }
    }
}
