package io.aardappel.operator.app;

import picocli.CommandLine.IVersionProvider;

/** What this program calls itself. */
final class Version implements IVersionProvider {
    /** As the package was built; {@code unpackaged} where it runs out of classes. */
    static String text() {
        String built = Version.class.getPackage().getImplementationVersion();
        return built == null ? "unpackaged" : built;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"operator " + text()};
    }
}
