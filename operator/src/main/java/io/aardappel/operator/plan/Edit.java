package io.aardappel.operator.plan;

/** What somebody did to a resource that would take a member out of its instance. */
sealed interface Edit {
    /** The stream is in the list no more. */
    record Left() implements Edit {}

    /**
     * A field of it is another, by which it is another stream.
     *
     * @param index of the entry, from zero
     * @param field its name
     * @param before as it runs
     * @param now as the resource has it
     */
    record Changed(int index, String field, String before, String now) implements Edit {}
}
