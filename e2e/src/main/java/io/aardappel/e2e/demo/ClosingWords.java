package io.aardappel.e2e.demo;

import io.aardappel.e2e.world.ChildProcesses;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** Sees to it that a demo ends what it started and closes with one verdict, however it ends. */
final class ClosingWords {
    /** What a demo tells. */
    interface Story {
        /**
         * Tells it, and its verdict.
         *
         * @return whether the tables are equal
         * @throws IllegalStateException saying why it cannot go on
         */
        boolean tell(ChildProcesses children) throws IOException;
    }

    private final PrintStream out;
    private final Path folder;
    private final AtomicBoolean told = new AtomicBoolean();

    private ClosingWords(PrintStream out, Path folder) {
        this.out = out;
        this.folder = folder;
    }

    /**
     * Tells the story; a signal meanwhile is answered too.
     *
     * @param folder for the logs of child processes
     * @return the code to end this process with: 0 when the tables are equal, else 1
     */
    static int after(PrintStream out, Path folder, Story story) throws IOException {
        ClosingWords words = new ClosingWords(out, folder);
        Runtime.getRuntime().addShutdownHook(new Thread(words::ofInterruption, "closing-words"));
        return words.after(story);
    }

    private int after(Story story) throws IOException {
        try (ChildProcesses children = new ChildProcesses(folder)) {
            boolean equal = story.tell(children);
            told.set(true);
            return equal ? 0 : 1;
        } catch (RuntimeException failed) {
            once("The demo failed: " + failed.getMessage(), "VERDICT: FAILED");
            return 1;
        }
    }

    private void ofInterruption() {
        once("Interrupted: the demo ends what it started.", "VERDICT: none, nothing was compared");
    }

    private void once(String what, String verdict) {
        if (told.compareAndSet(false, true)) {
            out.println();
            out.println(what);
            out.println("What its processes said is in " + folder);
            out.println(verdict);
        }
    }
}
