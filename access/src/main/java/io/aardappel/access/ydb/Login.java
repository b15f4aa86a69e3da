package io.aardappel.access.ydb;

import com.nimbusds.jwt.JWTParser;
import io.aardappel.access.auth.IssueException;
import io.aardappel.access.auth.Issuer;
import io.aardappel.access.failure.Cause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Date;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.auth.YdbAuth.LoginRequest;
import tech.ydb.proto.auth.YdbAuth.LoginResponse;
import tech.ydb.proto.auth.YdbAuth.LoginResult;
import tech.ydb.proto.auth.v1.AuthServiceGrpc;

/**
 * Gets tickets of a database by user and password. The password stands in a file that is read anew every time. (The SDK's own
 * login waits for the network within calls, and logs a ticket that it cannot read.)
 */
public final class Login implements Issuer {
    /** Of a ticket that does not tell; servers' tickets last longer. */
    private static final Duration LIFETIME_UNTOLD = Duration.ofHours(2);

    private final Connection connection;
    private final String user;
    private final Path passwordFile;
    private final String passwordKey;
    private final InstantSource clock;

    /**
     * @param connection to the database, without a ticket
     * @param passwordKey the configuration's key with the file, for messages
     * @param clock the wall's, by which servers tell the end of a ticket
     */
    public Login(Connection connection, String user, Path passwordFile, String passwordKey, InstantSource clock) {
        this.connection = connection.toNamedEndpoint();
        this.user = user;
        this.passwordFile = passwordFile;
        this.passwordKey = passwordKey;
        this.clock = clock;
    }

    @Override
    public Issued issue(Duration within) throws IssueException {
        LoginRequest request =
                LoginRequest.newBuilder().setUser(user).setPassword(password()).build();
        Result<LoginResult> answer;
        try (GrpcTransport transport = connection.open()) {
            answer = new Calls(transport)
                    .call(
                            AuthServiceGrpc.getLoginMethod(),
                            request,
                            within,
                            LoginResponse::getOperation,
                            LoginResult.class);
        }
        if (!answer.isSuccess()) {
            throw refused(answer.getStatus());
        }
        String ticket = answer.getValue().getToken();
        return new Issued(ticket, lifetime(ticket));
    }

    /** Without the line end that editors put behind it. */
    private String password() throws IssueException {
        try {
            return Files.readString(passwordFile).replaceFirst("[\\r\\n]+$", "");
        } catch (IOException unreadable) {
            throw IssueException.passing(
                    passwordKey + " = \"" + passwordFile + "\": the password file cannot be read ("
                            + Cause.kind(unreadable) + ")",
                    "See that it is there, and that this user may read it");
        }
    }

    private IssueException refused(Status status) {
        String what = "login as " + user + " at " + connection + ": " + StatusText.of(status);
        return switch (status.getCode()) {
            case UNAUTHORIZED, CLIENT_UNAUTHENTICATED, BAD_REQUEST, UNSUPPORTED, CLIENT_CALL_UNIMPLEMENTED ->
                IssueException.lasting(
                        what, "Correct the user, or the password in " + passwordFile + " (" + passwordKey + ")");
            default -> IssueException.passing(what, "See that the database is well");
        };
    }

    private Duration lifetime(String ticket) {
        try {
            Date end = JWTParser.parse(ticket).getJWTClaimsSet().getExpirationTime();
            if (end != null) {
                Duration left = Duration.between(clock.instant(), end.toInstant());
                return left.isNegative() || left.isZero() ? Duration.ofSeconds(1) : left;
            }
        } catch (ParseException noJwt) { // its message quotes the ticket
            return LIFETIME_UNTOLD;
        }
        return LIFETIME_UNTOLD;
    }
}
