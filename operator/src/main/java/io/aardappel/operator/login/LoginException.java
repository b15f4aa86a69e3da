package io.aardappel.operator.login;

/**
 * A destination cannot be logged in to or reached. The message tells a person what and what to do, and holds no
 * secret.
 */
final class LoginException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LoginException(String what, String remedy) {
        super(what + ". " + remedy);
    }
}
