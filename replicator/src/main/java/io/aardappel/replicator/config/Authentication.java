package io.aardappel.replicator.config;

import java.nio.file.Path;
import java.util.Optional;

/** How calls to one side are let in. */
public sealed interface Authentication {
    /** They carry nothing. */
    record Anonymous() implements Authentication {}

    /**
     * They carry a ready token.
     *
     * @param token sent as it is
     */
    record StaticToken(Secret token) implements Authentication {}

    /**
     * They carry the token of a file, as it is; whatever stands there later replaces it.
     *
     * @param file holds the token alone
     */
    record TokenFile(Path file) implements Authentication {}

    /**
     * They carry a token that is exchanged for another and renewed.
     *
     * @param file says how
     * @param endpoint to be asked instead of the one in the file
     */
    record TokenExchange(Path file, Optional<String> endpoint) implements Authentication {}

    /**
     * They carry a ticket that is given for user and password and renewed.
     *
     * @param passwordFile holds the password alone
     */
    record Login(String user, Path passwordFile) implements Authentication {}
}
