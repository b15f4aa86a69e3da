package io.aardappel.emulator.app;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.ServerLimits;
import io.aardappel.emulator.grpc.ServerTls;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves until it is told to stop. */
@Command(
        name = "serve",
        description =
                "Listens for YDB SDKs until SIGTERM or Ctrl-C. Prints READY and the connection string of each database when it accepts calls, before that CONTROL and TOKENS with the addresses of the fault interface and the token endpoint where there are any.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "Where to listen; port 0 picks a free one.")
    private String listen = "127.0.0.1:2136";

    @Option(names = "--database", paramLabel = "PATH", description = "A database to serve; may be repeated.")
    private List<String> databases = List.of("/local");

    @Option(names = "--control", paramLabel = "HOST:PORT", description = "Opens the HTTP interface for faults there.")
    private @Nullable String control;

    @Option(
            names = "--token-service",
            paramLabel = "HOST:PORT",
            description =
                    "Opens an OAuth 2.0 token exchange endpoint there. Calls without a known ticket are then refused.")
    private @Nullable String tokenService;

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "PEM certificate chain; needs --tls-key.")
    private @Nullable Path tlsCertificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "PEM private key, PKCS #8 without a password.")
    private @Nullable Path tlsKey;

    @Option(names = "--tls", paramLabel = "self-signed", description = "Makes a certificate for localhost and logs it.")
    private @Nullable String tls;

    @Option(
            names = "--user",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            paramLabel = "NAME:PASSWORD",
            description = "A user for logins; may be repeated. Calls without a known ticket are then refused.")
    private List<String> users = List.of();

    @Option(
            names = "--token",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            paramLabel = "TOKEN",
            description = "A static token; may be repeated. Calls without a known ticket are then refused.")
    private List<String> tokens = List.of();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of faults that strike by chance.")
    private long seed;

    @Option(names = "--query-text-max", paramLabel = "BYTES", description = "Longest query text.")
    private int queryTextMax = ServerLimits.DEFAULT.queryTextBytes();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        try (YdbEmulator emulator = start()) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> shutDown(stop, stopped), "emulator-stop"));
            PrintWriter out = line().getOut();
            emulator.controlEndpoint().ifPresent(endpoint -> out.println("CONTROL http://" + endpoint));
            emulator.tokenEndpoint().ifPresent(endpoint -> out.println("TOKENS " + endpoint));
            databases.forEach(path -> out.println("READY " + emulator.connectionString(path)));
            out.flush();
            emulator.certificatePem().ifPresent(pem -> LOG.info("clients must trust this certificate:\n{}", pem));
            stop.await();
        } finally {
            stopped.countDown();
        }
        return CommandLine.ExitCode.OK;
    }

    /**
     * The program ends when the shutdown hook returns, so the hook waits until everything is closed. A stop by signal is
     * what the user wanted: without the halt its exit code would be that of the signal.
     */
    private static void shutDown(CountDownLatch stop, CountDownLatch stopped) {
        stop.countDown();
        try {
            stopped.await();
            Runtime.getRuntime().halt(CommandLine.ExitCode.OK);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private YdbEmulator start() {
        HostAndPort address = address("--listen", listen);
        YdbEmulator.Builder builder = YdbEmulator.builder()
                .listen(address.host(), address.port())
                .seed(seed)
                .serverLimits(ServerLimits.DEFAULT.withQueryTextBytes(queryTextMax));
        databases.forEach(builder::database);
        tokens.forEach(token -> builder.token(token, "root@builtin"));
        users.forEach(user -> addUser(builder, user));
        ServerTls certificate = certificate();
        if (certificate != null) {
            builder.tls(certificate);
        }
        if (control != null) {
            HostAndPort at = address("--control", control);
            builder.control(at.host(), at.port());
        }
        if (tokenService != null) {
            HostAndPort at = address("--token-service", tokenService);
            builder.tokenService(at.host(), at.port());
        }
        return builder.start();
    }

    private void addUser(YdbEmulator.Builder builder, String user) {
        int colon = user.indexOf(':');
        if (colon < 1) {
            throw wrong("--user wants NAME:PASSWORD");
        }
        builder.user(user.substring(0, colon), user.substring(colon + 1));
    }

    private @Nullable ServerTls certificate() {
        if (tls != null) {
            if (!"self-signed".equals(tls) || tlsCertificate != null || tlsKey != null) {
                throw wrong("--tls knows self-signed only, and then neither --tls-cert nor --tls-key");
            }
            return ServerTls.selfSigned();
        }
        if (tlsCertificate == null && tlsKey == null) {
            return null;
        }
        if (tlsCertificate == null || tlsKey == null) {
            throw wrong("--tls-cert and --tls-key belong together");
        }
        return ServerTls.of(tlsCertificate, tlsKey);
    }

    private record HostAndPort(String host, int port) {}

    private HostAndPort address(String option, String value) {
        int colon = value.lastIndexOf(':');
        try {
            int port = Integer.parseInt(value.substring(colon + 1));
            if (colon < 1 || port < 0 || port > 65_535) {
                throw wrong(option + " wants HOST:PORT, was " + value);
            }
            return new HostAndPort(value.substring(0, colon), port);
        } catch (NumberFormatException noNumber) {
            throw wrong(option + " wants HOST:PORT, was " + value);
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(line(), message);
    }

    private CommandLine line() {
        if (spec == null) {
            throw new IllegalStateException("picocli has not set up this command");
        }
        return spec.commandLine();
    }
}
