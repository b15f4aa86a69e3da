package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;

/** The directories above the databases: the root, and what leads from it to each database. */
final class RootDirectory {
    private static final int PATH_NOT_EXIST = 200_200;

    private final Databases databases;

    RootDirectory(Databases databases) {
        this.databases = databases;
    }

    /** The directory at an absolute path above the databases, null when the path is a database or lies in one. */
    @Nullable
    Entry find(String path) {
        if (isInDatabase(path)) {
            return null;
        }
        if (path.equals("/")) {
            return directory("/");
        }
        boolean leads =
                databases.all().stream().anyMatch(tenant -> tenant.path().startsWith(path + "/"));
        if (!leads) {
            throw new YdbException(Status.SCHEME_ERROR, Issue.of("Root not found"));
        }
        return directory(path.substring(path.lastIndexOf('/') + 1));
    }

    /** The names that lead on from a directory above the databases. */
    List<Entry> children(String path) {
        String prefix = path.equals("/") ? "/" : path + "/";
        return databases.all().stream()
                .map(Tenant::path)
                .filter(database -> database.startsWith(prefix))
                .map(database -> database.substring(prefix.length()))
                .map(rest -> rest.contains("/") ? rest.substring(0, rest.indexOf('/')) : rest)
                .distinct()
                .map(RootDirectory::directory)
                .toList();
    }

    /** Refuses to create anything above the databases. */
    void refuseCreation(String path) {
        if (!isInDatabase(path)) {
            throw new YdbException(Status.BAD_REQUEST, Issue.of("Path " + path + " lies in none of the databases"));
        }
    }

    void refuseRemoval(String path) {
        if (!isInDatabase(path)) {
            throw new YdbException(Status.SCHEME_ERROR, Issue.of(PATH_NOT_EXIST, "Path does not exist"));
        }
    }

    private boolean isInDatabase(String path) {
        return databases.all().stream()
                .anyMatch(tenant -> path.equals(tenant.path()) || path.startsWith(tenant.path() + "/"));
    }

    private static Entry directory(String name) {
        return Entry.newBuilder().setName(name).setType(Entry.Type.DIRECTORY).build();
    }
}
