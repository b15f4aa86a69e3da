package io.aardappel.emulator.model;

import java.util.List;

/**
 * One issue of an answer, as {@code Ydb.Issue.IssueMessage}.
 *
 * @param code YDB's issue code, 0 when there is none
 * @param row line in the query text from 1, 0 when the issue has no position
 * @param column column from 1, 0 when the issue has no position
 */
public record Issue(int code, String message, int row, int column, List<Issue> issues) {
    /** {@code Transaction locks invalidated}. */
    public static final int LOCKS_INVALIDATED = 2001;
    /** No such path, or not the kind of object that was asked for. */
    public static final int SCHEME = 2003;
    /** A part of the transaction cannot be applied any more. */
    public static final int OPERATION_ABORTED = 2011;
    /** {@code Constraint violated}. */
    public static final int CONSTRAINT_VIOLATION = 2012;
    /** {@code Transaction not found}. */
    public static final int TRANSACTION_NOT_FOUND = 2015;
    /** The schema changed under a running transaction. */
    public static final int SCHEME_MISMATCH = 2028;

    /** A value that the column cannot hold, such as null for NOT NULL. */
    public static final int BAD_COLUMN_TYPE = 2031;
    /** A NOT NULL column without default was left out. */
    public static final int NO_COLUMN_DEFAULT = 2032;

    public Issue {
        issues = List.copyOf(issues);
    }

    public static Issue of(String message) {
        return new Issue(0, message, 0, 0, List.of());
    }

    public static Issue of(int code, String message) {
        return new Issue(code, message, 0, 0, List.of());
    }

    public static Issue at(int row, int column, String message) {
        return new Issue(0, message, row, column, List.of());
    }
}
