package io.aardappel.replicator.app;

import com.google.protobuf.ByteString;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.StreamConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.problems.DeadLetter;
import io.aardappel.replicator.problems.TopicLetters;
import io.aardappel.replicator.problems.TopicLetters.Posted;
import io.aardappel.replicator.ydb.target.Answer;
import io.aardappel.replicator.ydb.target.BlockedKeyTable;
import io.aardappel.replicator.ydb.target.BlockedKeys;
import io.aardappel.replicator.ydb.target.Replays;
import io.aardappel.replicator.ydb.target.Replays.Standing;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tech.ydb.core.grpc.GrpcTransport;

/**
 * The dead letters of a configured instance, and what became of them. Changes nothing.
 *
 * @param config has a topic of dead letters
 * @param destination its database, open
 */
record LetterBox(ReplicatorConfig config, GrpcTransport destination, Replays replays) {
    /**
     * Gives all letters that are there, by partition and offset.
     *
     * @return why not all could be read, absent when they were
     */
    Optional<String> read(Consumer<Posted> taker) {
        String path = config.problems().deadLetters().orElseThrow();
        try (TopicLetters letters = new TopicLetters(
                destination,
                path,
                config.tuning().get(Tuning.CALL_TIMEOUT),
                config.tuning().get(Tuning.CALL_TRIES))) {
            return letters.read(taker);
        }
    }

    /** The keys of rows that are left out; none where the file names no table of them. */
    Answer<Set<ByteString>> blockedKeys() {
        if (config.keyFilterPath().isEmpty()) {
            return new Answer.Read<>(Set.of());
        }
        BlockedKeys.Source source = new BlockedKeys.Source(
                config.keyFilterPath().get(),
                config.instanceId(),
                config.tuning().get(Tuning.KEY_FILTER_INTERVAL));
        try (BlockedKeyTable table = new BlockedKeyTable(destination, source, Replication.targetSettings(config))) {
            BlockedKeyTable.Outcome found = table.list();
            return found instanceof BlockedKeyTable.Outcome.Failed failed
                    ? new Answer.Unreadable<>(failed.why())
                    : new Answer.Read<>(Set.copyOf(((BlockedKeyTable.Outcome.Done) found).keys()));
        }
    }

    boolean isLeftOut(Posted posted) {
        return state(DeadLetter.of(posted.message())).equals(LetterTable.LEFT_OUT);
    }

    LetterTable.Row row(Posted posted) {
        DeadLetter letter = DeadLetter.of(posted.message());
        String state = state(letter);
        String written = posted.writtenAt().truncatedTo(ChronoUnit.SECONDS).toString();
        if (letter instanceof DeadLetter.Whole whole) {
            return new LetterTable.Row(
                    posted.name(),
                    written,
                    state,
                    whole.reason(),
                    whole.topic(),
                    Long.toString(whole.partition()),
                    Long.toString(whole.offset()),
                    whole.position().toString(),
                    whole.key());
        }
        if (letter instanceof DeadLetter.Line line) {
            return new LetterTable.Row(
                    posted.name(),
                    written,
                    state,
                    line.reason(),
                    line.topic(),
                    "-",
                    "-",
                    line.position().toString(),
                    line.key());
        }
        return new LetterTable.Row(posted.name(), written, state, "-", "-", "-", "-", "-", "-");
    }

    private String state(DeadLetter letter) {
        if (letter instanceof DeadLetter.Line) {
            return "no values";
        }
        if (!(letter instanceof DeadLetter.Whole whole)) {
            return "no letter";
        }
        if (!whole.instanceId().equals(config.instanceId())) {
            return "other instance";
        }
        Optional<StreamConfig> stream = LetterReplay.stream(config, whole);
        if (stream.isEmpty()) {
            return "no stream";
        }
        Answer<Standing> answer = replays.standing(LetterReplay.record(stream.get(), whole));
        if (!(answer instanceof Answer.Read<Standing> read)) {
            return "not known";
        }
        Standing standing = read.value();
        if (standing.replayed().isPresent() || standing.decidedBy().equals(Optional.of(DecidedBy.REPLAY))) {
            return "replayed";
        }
        if (standing.leftOut()) {
            return whole.payload().isPresent() ? LetterTable.LEFT_OUT : "no values";
        }
        if (standing.decision().isPresent()) {
            return "applied";
        }
        return standing.passed() ? "passed" : "undecided";
    }
}
