package io.aardappel.operator.login;

/** What is known of one key of a Secret. */
sealed interface SecretValue {
    /**
     * It was read.
     *
     * @param hash of the content, which tells nothing to those who may not read the Secret
     */
    record Held(byte[] content, String hash) implements SecretValue {
        /** Without the content. */
        @Override
        public String toString() {
            return "held";
        }
    }

    /**
     * There is no such Secret, or no such key in it.
     *
     * @param what names both
     * @param remedy what can be done
     */
    record Missing(String what, String remedy) implements SecretValue {}

    /**
     * It could not be read, and never was before.
     *
     * @param lasting whether that stays so until somebody does something
     */
    record Unread(String what, String remedy, boolean lasting) implements SecretValue {}
}
