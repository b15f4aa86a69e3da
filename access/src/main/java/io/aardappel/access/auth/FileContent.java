package io.aardappel.access.auth;

import io.aardappel.access.failure.Cause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file.
 *
 * @param kind what it is, for messages
 * @param comes whether it may come to be there by itself; otherwise it is a mistake when it is not
 */
record FileContent(String name, Path file, String kind, boolean comes) implements Content {
    @Override
    public byte[] bytes() throws IssueException {
        try {
            return Files.readAllBytes(file);
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        }
    }

    @Override
    public String text() throws IssueException {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        }
    }

    private IssueException unreadable(IOException why) {
        String what = name + ": the " + kind + " cannot be read (" + Cause.kind(why) + ")";
        if (comes) {
            return IssueException.passing(what, "See that it is there, and that this user may read it");
        }
        return why instanceof NoSuchFileException
                ? IssueException.lasting(name + ": there is no such " + kind, "Name the file, or put it there")
                : IssueException.lasting(what, "See that this user may read it, and that it is text in UTF-8");
    }
}
