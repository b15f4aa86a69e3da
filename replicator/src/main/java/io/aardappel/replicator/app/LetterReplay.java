package io.aardappel.replicator.app;

import com.google.protobuf.ByteString;
import io.aardappel.replicator.codec.RawKey;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.StreamConfig;
import io.aardappel.replicator.core.Anew;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.problems.DeadLetter;
import io.aardappel.replicator.problems.SourceComparison;
import io.aardappel.replicator.problems.TopicLetters.Posted;
import io.aardappel.replicator.ydb.target.Answer;
import io.aardappel.replicator.ydb.target.Replays;
import io.aardappel.replicator.ydb.target.Replays.RecordName;
import io.aardappel.replicator.ydb.target.Replays.Standing;
import io.aardappel.replicator.ydb.target.RowLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tech.ydb.proto.ValueProtos.Value;

/** Judges dead letters one by one and replays those that nothing speaks against. Under the lock; one thread only. */
final class LetterReplay {
    /** What became of a letter. */
    sealed interface Result {
        /** The text says what was written. */
        record Replayed(String what) implements Result {}

        /** Nothing was written; the text says why. */
        record Not(String why) implements Result {}
    }

    private final ReplicatorConfig config;
    private final Replays replays;
    private final Answer<RowLookup> source;
    private final Answer<Set<ByteString>> blocked;
    private final SavedState state;
    private final String who;
    private final boolean force;

    /**
     * @param source where rows are looked up, or why they cannot be
     * @param blocked keys of rows that are left out, or why they cannot be known
     * @param state as it is under the lock
     * @param force whether objections are overruled where that is possible at all
     */
    LetterReplay(
            ReplicatorConfig config,
            Replays replays,
            Answer<RowLookup> source,
            Answer<Set<ByteString>> blocked,
            SavedState state,
            String who,
            boolean force) {
        this.config = config;
        this.replays = replays;
        this.source = source;
        this.blocked = blocked;
        this.state = state;
        this.who = who;
        this.force = force;
    }

    Result replay(Posted posted) {
        DeadLetter letter = DeadLetter.of(posted.message());
        if (!(letter instanceof DeadLetter.Whole whole)) {
            return new Result.Not(
                    letter instanceof DeadLetter.Line
                            ? "its text carries no values; letters with values are written with"
                                    + " replicator.dead_letter_format: json"
                            : "it is no dead letter");
        }
        if (!whole.instanceId().equals(config.instanceId())) {
            return new Result.Not("it is of instance " + whole.instanceId());
        }
        if (whole.payload().isEmpty()) {
            return new Result.Not("its record does not say clearly what it would write");
        }
        Optional<StreamConfig> stream = stream(config, whole);
        if (stream.isEmpty()) {
            return new Result.Not("the file has no stream of " + whole.topic() + " with consumer " + whole.consumer()
                    + " into " + whole.table());
        }
        if (isTakenOut(stream.get())) {
            return new Result.Not("stream " + whole.topic() + " with consumer " + whole.consumer()
                    + " was taken out of the instance: no checkpoint stands for its table, and what came since is not in it."
                    + " Bring the stream in anew before, if the table is to be a copy again (" + Anew.PAGE + ")");
        }
        return replay(posted, whole, whole.payload().get(), stream.get());
    }

    /** It may stand in the file all the same. */
    private boolean isTakenOut(StreamConfig stream) {
        List<StreamRow> rows = state.streams().stream()
                .filter(row -> row.topic().equals(stream.sourceTopicPath())
                        && row.consumer().equals(stream.consumer()))
                .toList();
        return !rows.isEmpty() && rows.stream().allMatch(row -> row.state() == StreamState.REMOVED);
    }

    /** The letter's stream as it is configured now. */
    static Optional<StreamConfig> stream(ReplicatorConfig config, DeadLetter.Whole letter) {
        return config.streams().stream()
                .filter(one -> one.sourceTopic().equals(letter.topic())
                        && one.consumer().equals(letter.consumer())
                        && one.destinationTablePath().equals(letter.table()))
                .findFirst();
    }

    static RecordName record(StreamConfig stream, DeadLetter.Whole letter) {
        return new RecordName(
                stream.sourceTopicPath(), stream.consumer(), letter.partition(), letter.offset(), letter.position());
    }

    private Result replay(Posted posted, DeadLetter.Whole letter, DeadLetter.Payload payload, StreamConfig stream) {
        Answer<TableShape> shape = replays.shape(letter.table());
        RecordName record = record(stream, letter);
        Answer<Standing> standing = replays.standing(record);
        if (shape instanceof Answer.Unreadable<TableShape> unreadable) {
            return new Result.Not(unreadable.why());
        }
        if (standing instanceof Answer.Unreadable<Standing> unreadable) {
            return new Result.Not(unreadable.why());
        }
        TableShape into = ((Answer.Read<TableShape>) shape).value();
        Standing own = ((Answer.Read<Standing>) standing).value();
        StreamRecord decoded = DeadLetter.decode(letter, payload, into);
        if (!(decoded instanceof Change change)) {
            String why = decoded instanceof Unfit unfit ? unfit.reason() : decoded.toString();
            return new Result.Not("it does not fit the destination table: " + why);
        }
        List<String> objections = new ArrayList<>(ofRecord(letter, own));
        objections.addAll(ofBlockedKey(letter, stream));
        objections.addAll(ofKey(letter, payload, stream, change, into));
        if (!objections.isEmpty() && !force) {
            return new Result.Not(String.join("; ", objections) + " (--force overrules this)");
        }
        String overruled = String.join("; ", objections);
        Optional<String> failure =
                replays.replay(new Replays.Replay(record, change, letter.table(), posted.name(), who, overruled), own);
        return failure.<Result>map(Result.Not::new)
                .orElseGet(() -> new Result.Replayed(payload.operation() + " of " + letter.table() + ", key "
                        + letter.key() + ", of stream " + letter.topic() + ", partition " + letter.partition()
                        + ", offset " + letter.offset()
                        + (overruled.isEmpty() ? "" : "; overruled: " + overruled)));
    }

    /** What speaks against it because of what became of the record. */
    private List<String> ofRecord(DeadLetter.Whole letter, Standing own) {
        List<String> objections = new ArrayList<>();
        if (own.replayed().isPresent()) {
            objections.add("it was replayed before, at " + own.replayed().get());
        } else if (!own.leftOut()) {
            objections.add(notLeftOut(own));
        }
        if (state.stage() != Stage.RUN || !letter.position().isBefore(state.checkpoint())) {
            objections.add("the replication has not passed position " + letter.position() + ": the checkpoint is "
                    + state.checkpoint() + " in stage " + state.stage());
        }
        return objections;
    }

    private static String notLeftOut(Standing own) {
        if (own.decision().isPresent()) {
            return "its record was applied, as was decided";
        }
        return "it is not recorded that its record was left out: "
                + (own.passed()
                        ? "reading has passed it, so it fitted when it was read again, or the Go program dealt with it"
                        : "the replicator comes to it again, or the Go program left it out");
    }

    /** Rows of the table of blocked keys are left out whatever brings them. */
    private List<String> ofBlockedKey(DeadLetter.Whole letter, StreamConfig stream) {
        if (blocked instanceof Answer.Unreadable<Set<ByteString>> unreadable) {
            return List.of("whether its key is blocked is not known: " + unreadable.why());
        }
        Set<ByteString> keys = ((Answer.Read<Set<ByteString>>) blocked).value();
        return RawKey.ofKey(stream.destinationTable(), letter.key())
                .filter(key -> keys.contains(ByteString.copyFrom(key)))
                .map(key -> "its key is blocked, so that rows of it are left out (see `key-filter list`)")
                .map(List::of)
                .orElse(List.of());
    }

    /** What speaks against it because the row may have been changed since. */
    private List<String> ofKey(
            DeadLetter.Whole letter, DeadLetter.Payload payload, StreamConfig stream, Change change, TableShape into) {
        List<String> objections = new ArrayList<>();
        long writers = config.streams().stream()
                .filter(one -> one.destinationTablePath().equals(letter.table()))
                .count();
        if (writers > 1) {
            objections.add(writers + " streams write table " + letter.table()
                    + ", so that it is not known whether another of them changed the row since");
        }
        if (source instanceof Answer.Unreadable<RowLookup> away) {
            objections.add("whether the row was changed since is not known: " + away.why());
            return objections;
        }
        RowLookup lookup = ((Answer.Read<RowLookup>) source).value();
        String topic = stream.sourceTopicPath();
        Answer<TableShape> shape = lookup.shape(topic.substring(0, topic.lastIndexOf('/')));
        if (shape instanceof Answer.Unreadable<TableShape> unreadable) {
            objections.add("whether the row was changed since is not known: " + unreadable.why());
            return objections;
        }
        TableShape from = ((Answer.Read<TableShape>) shape).value();
        if (!(DeadLetter.decode(letter, payload, from) instanceof Change there)) {
            objections.add("the source table was changed since, so that its row cannot be compared");
            return objections;
        }
        Answer<Optional<Map<String, Value>>> found = lookup.find(from, there.key());
        if (found instanceof Answer.Unreadable<Optional<Map<String, Value>>> unreadable) {
            objections.add("whether the row was changed since is not known: " + unreadable.why());
            return objections;
        }
        Optional<Map<String, Value>> row = ((Answer.Read<Optional<Map<String, Value>>>) found).value();
        SourceComparison.differs(there, from, row)
                .ifPresent(how -> objections.add("the row was changed since: " + how));
        if (objections.isEmpty() && row.isPresent() && there.operation() == Operation.UPDATE) {
            ofMissingRow(change, into, SourceComparison.isMoreThan(there, from, row.get()))
                    .ifPresent(objections::add);
        }
        return objections;
    }

    private Optional<String> ofMissingRow(Change change, TableShape into, boolean carriesOnlySome) {
        if (!carriesOnlySome) {
            return Optional.empty();
        }
        Answer<Boolean> there = replays.has(into, change.key());
        if (there instanceof Answer.Unreadable<Boolean> unreadable) {
            return Optional.of(unreadable.why());
        }
        return ((Answer.Read<Boolean>) there).value()
                ? Optional.empty()
                : Optional.of("the destination has no such row, and the letter carries only some of its columns");
    }
}
