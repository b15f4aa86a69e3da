package io.aardappel.replicator.core;

/** What to do about a stream whose past is lost, in the words of the page that says it in full. Stateless. */
public final class Anew {
    /** The page, as messages name it. */
    public static final String PAGE = "docs/runbooks/bring-a-stream-in-anew.md";

    /** What to do about a consumer that was moved on, without a full stop; what is wrong says where it belongs. */
    public static final String WHOSE_CONSUMER =
            "Somebody else commits for this consumer. If it is another replication's, leave it to that one as it stands, and"
                    + " bring the stream in anew here by a consumer of its own (" + PAGE
                    + "). If it is this one's: end who"
                    + " commits, set it back as said, then set state to OK and start again; if the topic no longer keeps that"
                    + " offset, bring the stream in anew, too";

    private Anew() {}

    /** A sentence without its full stop. */
    public static String bringIn(StreamSpec stream) {
        return "Bring the stream in anew (" + PAGE
                + "), which begins with every process stopped and: bin/replicator members"
                + " remove -config FILE --topic " + stream.topic() + " --consumer " + stream.consumer();
    }

    /** The same where FATAL_ERROR is written for it, which is not to be taken back before. */
    public static String bringInBeforeAll(StreamSpec stream) {
        return bringIn(stream) + "; to set state to OK alone leads here again";
    }
}
