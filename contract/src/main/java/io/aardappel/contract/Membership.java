package io.aardappel.contract;

import java.util.Locale;

/** Words of a stream row's {@code state}. */
public enum Membership {
    /** The checkpoint stands for it. */
    MEMBER,
    /** On its way in, with a checkpoint of its own. */
    JOINING,
    /** Its way in came to an end; the row's message says why. */
    FAILED,
    /** Taken out by an act under the lock; a configuration need not name it. */
    REMOVED;

    /** As it stands in the row: lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The state that a row's word says.
     *
     * @throws IllegalArgumentException for a word that none of these has
     */
    public static Membership ofWord(String word) {
        for (Membership membership : values()) {
            if (membership.word().equals(word)) {
                return membership;
            }
        }
        throw new IllegalArgumentException("unknown stream state '" + word + "'");
    }
}
