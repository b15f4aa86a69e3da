package io.aardappel.emulator.query.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** SELECT parts joined by UNION ALL, then ordered and limited as a whole. */
public record Query(
        Position at,
        List<Part> parts,
        List<Order> order,
        @Nullable Expression limit,
        @Nullable Expression offset) {
    /** One operand of UNION ALL. */
    public sealed interface Part {}

    /** A query in parentheses. */
    public record Nested(Query query) implements Part {}

    public record Core(
            Position at,
            boolean distinct,
            List<Item> items,
            @Nullable Source from,
            @Nullable Expression where,
            List<Group> groupBy,
            @Nullable Expression having)
            implements Part {}

    /** One entry of a SELECT list. */
    public sealed interface Item {}

    /** {@code *} or {@code source.*}. */
    public record Star(Position at, @Nullable String source) implements Item {}

    public record Value(Expression expression, @Nullable String alias) implements Item {}

    public record Group(Expression expression, @Nullable String alias) {}

    public record Order(Expression expression, boolean descending) {}

    /** What stands behind FROM. */
    public sealed interface Source {
        Position at();
    }

    /**
     * A table by its name.
     *
     * @param path absolute path of the table
     */
    public record Table(
            Position at,
            String path,
            String name,
            @Nullable String index,
            @Nullable String alias) implements Source {}

    /** AS_TABLE of a list of structs, or a named expression. */
    public record Values(
            Position at, Expression list, @Nullable String alias) implements Source {}

    /** {@code FROM $name}: a named query or a list of structs. */
    public record Named(
            Position at, String variable, @Nullable String alias) implements Source {}

    public record Derived(
            Position at, Query query, @Nullable String alias) implements Source {}

    public record Join(
            Position at,
            Kind kind,
            Source left,
            Source right,
            @Nullable Expression on,
            List<String> using) implements Source {
        public enum Kind {
            INNER,
            LEFT,
            RIGHT,
            FULL,
            CROSS
        }
    }
}
