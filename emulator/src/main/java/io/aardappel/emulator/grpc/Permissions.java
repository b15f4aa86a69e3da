package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What users may not do: everybody may do everything until a test takes something away. Refusals are those of YDB, which
 * hides what may not be described, and answers ABORTED where a table may be described and not be read or written.
 * Thread-safe.
 */
public final class Permissions {
    /** What can be taken away. */
    public enum Right {
        /** To see that the object is there. Without it nothing else can be done with it. */
        DESCRIBE,
        /** To read rows; to read messages and commit offsets. */
        READ,
        /** To write and remove rows; to write messages. */
        WRITE
    }

    private record Denial(String user, String path, Right right) {}

    private final Set<Denial> denials = ConcurrentHashMap.newKeySet();

    /**
     * Takes rights away, from streams that are open too.
     *
     * @param path absolute, of an object; it counts for everything below it too
     */
    public void revoke(String user, String path, Right... rights) {
        for (Right right : rights) {
            denials.add(new Denial(user, path, right));
        }
    }

    /** Gives back what was taken away by the same user and path. */
    public void grant(String user, String path, Right... rights) {
        for (Right right : rights) {
            denials.remove(new Denial(user, path, right));
        }
    }

    private boolean denied(String user, Right right, String path) {
        return denials.stream()
                .anyMatch(denial ->
                        denial.right() == right && denial.user().equals(user) && Site.lies(path, denial.path()));
    }

    /** Whether nobody lacks anything. */
    boolean isFree() {
        return denials.isEmpty();
    }

    /** Why the caller may not do that with the topic, null when he may. */
    @Nullable
    YdbException topicRefusal(String user, Right right, String path) {
        if (denied(user, Right.DESCRIBE, path)) {
            return hidden(path);
        }
        return denied(user, right, path) ? unauthorized(user, right, path) : null;
    }

    /** Throws where the caller may not do that with the table. */
    void requireTable(String user, Right right, String path) {
        if (denied(user, Right.DESCRIBE, path)) {
            throw hidden(path);
        }
        if (denied(user, right, path)) {
            throw new YdbException(
                    Status.ABORTED,
                    Issue.of(Issue.SCHEME_MISMATCH, "Failed to resolve table `" + path + "` status: AccessDenied."));
        }
    }

    /** Throws where the caller of a request may not do what it does to the objects that it concerns. */
    void require(String user, Site site) {
        for (Denial denial : denials) {
            boolean concerned = denial.user().equals(user) && site.touches().test(denial.path());
            if (concerned && denial.right() == Right.DESCRIBE && site.operation() == Operation.DESCRIBE) {
                throw hidden(denial.path());
            }
            if (concerned && denial.right() == Right.READ && site.operation() == Operation.TOPIC_COMMIT) {
                throw unauthorized(user, Right.READ, denial.path());
            }
        }
    }

    private static YdbException unauthorized(String user, Right right, String topic) {
        return new YdbException(Status.UNAUTHORIZED, "No permission to " + right + " topic " + topic + " for " + user);
    }

    private static YdbException hidden(String path) {
        return new YdbException(
                Status.SCHEME_ERROR,
                Issue.of(
                        Issue.SCHEME,
                        "Cannot find '" + path + "' because it does not exist or you do not have access permissions."));
    }
}
