package io.aardappel.program;

/** What version a program is of. */
public final class Version {
    /**
     * As the package was built; {@code unpackaged} where it runs out of classes.
     *
     * @param program a class of it
     */
    public static String of(Class<?> program) {
        String built = program.getPackage().getImplementationVersion();
        return built == null ? "unpackaged" : built;
    }

    private Version() {}
}
