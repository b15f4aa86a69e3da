package io.aardappel.e2e.snapshot;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** How a program of this class path is started in a process of its own that lives for seconds. */
final class JavaCommand {
    private JavaCommand() {}

    /** The words up to the program's arguments. */
    static List<String> of(SnapshotRun.Program program, String heap) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(ClassArchive.options());
        command.addAll(program.systemProperties());
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath()), program.main()));
        return command;
    }

    /** Libraries before folders: an archive of classes holds for a class path that begins as its own. */
    private static List<String> classPath() {
        List<String> all = entries(entry -> true);
        List<String> sorted = new ArrayList<>(entries(entry -> !Files.isDirectory(Path.of(entry))));
        all.stream().filter(entry -> !sorted.contains(entry)).forEach(sorted::add);
        return sorted;
    }

    /** Class path entries that are files. */
    static List<String> libraries() {
        return entries(entry -> Files.isRegularFile(Path.of(entry)));
    }

    private static List<String> entries(Predicate<String> wanted) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(wanted)
                .toList();
    }
}
