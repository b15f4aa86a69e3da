package io.aardappel.contract;

/**
 * A table in the destination as the configuration spells it: bare and relative to the database ({@code repl_state}),
 * absolute ({@code /Root/shop/repl_state}), or either within back-quotes, as the Go program needs for absolute ones.
 *
 * @param path without back-quotes; begins with a slash exactly when it is absolute
 */
public record TableName(String path) {
    /**
     * Reads a name of any of the three forms.
     *
     * @throws IllegalArgumentException when the text is no path of a table; the message says why, for a person
     */
    public static TableName parse(String text) {
        return new TableName(unquoted(text));
    }

    /** A name of any of the three forms without what is around its path, which need not be a good one. */
    public static String unquoted(String text) {
        String path = text.strip();
        return path.length() >= 2 && path.startsWith("`") && path.endsWith("`")
                ? path.substring(1, path.length() - 1)
                : path;
    }

    public TableName {
        if (path.isEmpty() || path.equals("/")) {
            throw new IllegalArgumentException("a table name is needed, such as repl_state or /Root/db/repl_state");
        }
        PathText.formFault(path).ifPresent(fault -> {
            throw new IllegalArgumentException("table path '" + shown(path) + "' " + fault);
        });
    }

    /** In a line, and of a bearable length. */
    private static String shown(String path) {
        String line = path.replaceAll("\\p{Cntrl}", "?");
        return line.length() > 120 ? line.substring(0, 117) + "..." : line;
    }

    public boolean isAbsolute() {
        return path.startsWith("/");
    }

    /** As statements need it: within back-quotes, so that slashes, dots and dashes are safe. */
    public String quoted() {
        return "`" + path + "`";
    }

    /**
     * As DescribeTable needs it.
     *
     * @param database absolute path of the database, with or without a slash at its end
     */
    public String absolutePath(String database) {
        if (isAbsolute()) {
            return path;
        }
        return database.endsWith("/") ? database + path : database + "/" + path;
    }

    /** The table beside this one whose last path part has the suffix added. */
    public TableName beside(String suffix) {
        return new TableName(path + suffix);
    }
}
