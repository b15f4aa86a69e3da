package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Database;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The databases of one process by path. Immutable. */
public final class Databases {
    private final Map<String, Tenant> byPath = new LinkedHashMap<>();

    public Databases(List<Tenant> tenants) {
        if (tenants.isEmpty()) {
            throw new IllegalArgumentException("a server needs at least one database");
        }
        for (Tenant tenant : tenants) {
            if (byPath.put(tenant.path(), tenant) != null) {
                throw new IllegalArgumentException("two databases have the path " + tenant.path());
            }
        }
    }

    public List<Tenant> all() {
        return List.copyOf(byPath.values());
    }

    /** The database that the current call names in its headers, the first one when it names none. */
    public Tenant ofCall() {
        String named = CallContext.current().database();
        return named == null || named.isEmpty() ? byPath.values().iterator().next() : named(named);
    }

    /** The database of the current call; without a header the one in which an absolute path lies. */
    public Tenant ofCall(String path) {
        String named = CallContext.current().database();
        Tenant owner = named == null || named.isEmpty() ? find(path) : null;
        return owner == null ? ofCall() : owner;
    }

    /** The database with that path; one slash at either end may be missing or too many. NOT_FOUND when there is none. */
    public Tenant named(String path) {
        Tenant tenant = byPath.get(normal(path));
        if (tenant == null) {
            throw new YdbException(
                    Status.NOT_FOUND, "Unknown database: " + path + ". This server has " + byPath.keySet());
        }
        return tenant;
    }

    /** The database in which an absolute path lies; NOT_FOUND when it lies in none. */
    public Tenant containing(String path) {
        Tenant owner = find(path);
        if (owner == null) {
            throw new YdbException(Status.NOT_FOUND, "Path " + path + " lies in none of " + byPath.keySet());
        }
        return owner;
    }

    private @Nullable Tenant find(String path) {
        Tenant longest = null;
        for (Tenant each : byPath.values()) {
            boolean contains = lies(path, each.path());
            if (contains
                    && (longest == null || each.path().length() > longest.path().length())) {
                longest = each;
            }
        }
        return longest;
    }

    private static boolean lies(String path, String database) {
        return path.equals(database) || path.startsWith(database + "/");
    }

    /** An absolute path without a slash at its end. */
    static String normal(String path) {
        String trimmed = path;
        while (trimmed.length() > 1 && trimmed.endsWith("/")) {
            trimmed = trimmed.substring(0, trimmed.length() - 1);
        }
        return trimmed.startsWith("/") ? trimmed : "/" + trimmed;
    }

    /** The absolute path of a request's path: relative ones belong to the database. BAD_REQUEST when it is empty. */
    static String absolute(Database database, String path) {
        if (path.isEmpty()) {
            throw new YdbException(Status.BAD_REQUEST, "Path is empty");
        }
        String normal = normal(path);
        return path.startsWith("/") || lies(normal, database.path()) ? normal : database.path() + normal;
    }
}
