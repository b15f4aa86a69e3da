package io.aardappel.e2e.snapshot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The replicator's classes as the virtual machine wants them, in a file (class data sharing): a start costs half the
 * processor time with it, and these tests start hundreds. Made by the first start, from what a short replication loads.
 */
final class ClassArchive {
    private static final String REPLICATOR = "aardappel-replicator";

    private static @Nullable List<String> options;

    private ClassArchive() {}

    /** What a process needs to use it; empty where the replicator is no jar, as in an IDE. */
    static synchronized List<String> options() {
        if (options == null) {
            options = List.of(); // for the process that it is made from
            options = made();
        }
        return options;
    }

    private static List<String> made() {
        List<String> libraries = JavaCommand.libraries();
        if (libraries.stream().noneMatch(path -> path.contains(REPLICATOR))) {
            return List.of();
        }
        try {
            Path archive = Path.of("target", "replicator-" + fingerprint(libraries) + ".jsa")
                    .toAbsolutePath();
            if (!Files.exists(archive)) {
                train(archive);
            }
            return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
        } catch (IOException e) {
            throw new IllegalStateException("cannot make the archive of classes", e);
        }
    }

    /** Another one for each version of Java and of each library, by which the virtual machine would refuse it. */
    private static String fingerprint(List<String> libraries) throws IOException {
        StringBuilder all = new StringBuilder(Runtime.version().toString());
        for (String library : libraries) {
            Path path = Path.of(library);
            all.append(path).append(Files.size(path)).append(Files.getLastModifiedTime(path));
        }
        return UUID.nameUUIDFromBytes(all.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    private static void train(Path archive) throws IOException {
        Path unfinished = archive.resolveSibling(archive.getFileName() + "-unfinished");
        Path folder = Files.createTempDirectory(archive.getParent(), "class-archive-");
        try (Scene scene = new Scene(folder)) {
            scene.table("t", "k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)", "", "UPDATES");
            scene.start(new SnapshotRun.Program(
                    SnapshotRun.Program.REPLICATOR.main(), List.of("-XX:ArchiveClassesAtExit=" + unfinished)));
            scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
            scene.settle();
            scene.stop();
        }
        Files.move(unfinished, archive, StandardCopyOption.REPLACE_EXISTING);
    }
}
