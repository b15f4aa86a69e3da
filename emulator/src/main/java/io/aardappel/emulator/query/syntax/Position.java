package io.aardappel.emulator.query.syntax;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;

/** A place in the text: line and column, both from 1. */
public record Position(int row, int column) {
    /** GENERIC_ERROR at this place: the text cannot be understood, or is not supported. */
    public YdbException error(String message) {
        return error(Status.GENERIC_ERROR, 0, message);
    }

    /** An error of any status at this place; {@code code} is YDB's issue code, 0 for none. */
    public YdbException error(Status status, int code, String message) {
        return new YdbException(status, issue(code, message));
    }

    public Issue issue(int code, String message) {
        return new Issue(code, message, row, column, java.util.List.of());
    }
}
