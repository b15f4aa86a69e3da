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

    private record Rule(String user, String path, Right right) {
        boolean covers(String other, Right what, String where) {
            return right == what && user.equals(other) && Site.lies(where, path);
        }
    }

    private final Set<Rule> denials = ConcurrentHashMap.newKeySet();
    /** Rights that were given on an object itself, which what is taken away further up does not touch. */
    private final Set<Rule> grants = ConcurrentHashMap.newKeySet();

    /**
     * Takes rights away, from streams that are open too.
     *
     * @param path absolute, of an object; it counts for everything below it too
     */
    public void revoke(String user, String path, Right... rights) {
        for (Right right : rights) {
            Rule rule = new Rule(user, path, right);
            grants.remove(rule);
            denials.add(rule);
        }
    }

    /**
     * Gives rights, back or beside what was taken away further up.
     *
     * @param path absolute, of an object; it counts for everything below it too
     */
    public void grant(String user, String path, Right... rights) {
        for (Right right : rights) {
            Rule rule = new Rule(user, path, right);
            denials.remove(rule);
            grants.add(rule);
        }
    }

    /** The rule nearest to the object counts. */
    private boolean denied(String user, Right right, String path) {
        return nearest(denials, user, right, path) > nearest(grants, user, right, path);
    }

    private static int nearest(Set<Rule> rules, String user, Right right, String path) {
        return rules.stream()
                .filter(rule -> rule.covers(user, right, path))
                .mapToInt(rule -> rule.path().length())
                .max()
                .orElse(-1);
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

    private boolean isGivenBelow(Rule denial, String user, Site site) {
        return grants.stream()
                .anyMatch(grant -> grant.right() == denial.right()
                        && grant.path().startsWith(denial.path() + "/")
                        && concerns(grant, user, site));
    }

    private static boolean concerns(Rule rule, String user, Site site) {
        return rule.user().equals(user) && site.touches().test(rule.path());
    }

    /** Throws where the caller of a request may not do what it does to the objects that it concerns. */
    void require(String user, Site site) {
        for (Rule denial : denials) {
            if (!concerns(denial, user, site) || isGivenBelow(denial, user, site)) {
                continue;
            }
            if (denial.right() == Right.DESCRIBE && site.operation() == Operation.DESCRIBE) {
                throw hidden(denial.path());
            }
            if (denial.right() == Right.READ && site.operation() == Operation.TOPIC_COMMIT) {
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
