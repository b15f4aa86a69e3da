package io.aardappel.replicator.problems;

import io.aardappel.replicator.codec.DestinationShapes;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.engine.DecisionEvent;
import io.aardappel.replicator.engine.Decisions;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.problems.StreamPolicy.Strategy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides by the command queue, then by the stream's strategy. A record that no command speaks of is written to the dead
 * letters before the answer is given, so that none is left out that is not there. Everything that waits is done on a
 * thread of its own; questions that come meanwhile share the next reading of the queue.
 */
public final class ProblemDesk implements Decisions, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemDesk.class);

    /** Dead letters that are on their way together, and their bytes. */
    private static final int FEW = 256;

    private static final long FEW_BYTES = 4L << 20;

    /** Of records that share one fate, so many are compared with commands that are about none of them. */
    private static final int COMPARED = 100;

    /** Messages of the queue that are told of once only, for being about no record. */
    private static final int REMEMBERED = 1_000;

    /**
     * What it goes by.
     *
     * @param streams in configured order
     * @param deadLetterPatience how long a dead letter is tried before the answer is to stop
     * @param stopPatience the same where the answer is to stop anyway
     * @param deadLetterPause between two tries
     */
    public record Settings(
            String instanceId,
            List<StreamPolicy> streams,
            DeadLetterFormat format,
            Duration deadLetterPatience,
            Duration stopPatience,
            Duration deadLetterPause) {}

    private final Settings settings;
    private final Optional<CommandQueue> commands;
    private final Optional<DeadLetters> deadLetters;
    private final DestinationShapes shapes;
    private final Consumer<Event> inbox;
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "problems"));
    private final CountDownLatch closing = new CountDownLatch(1);
    private final List<Question> waiting = new ArrayList<>();
    /** Messages that were obeyed or told of; belongs to the executor's thread. */
    private final Set<String> dealtWith = new HashSet<>();

    /**
     * A desk that has nothing to do yet. It closes the queue and the dead letters.
     *
     * @param inbox gets the answers
     */
    public ProblemDesk(
            Settings settings,
            Optional<CommandQueue> commands,
            Optional<DeadLetters> deadLetters,
            DestinationShapes shapes,
            Consumer<Event> inbox) {
        this.settings = settings;
        this.commands = commands;
        this.deadLetters = deadLetters;
        this.shapes = shapes;
        this.inbox = inbox;
    }

    @Override
    public void ask(Question question) {
        synchronized (waiting) {
            waiting.add(question);
        }
        try {
            executor.execute(this::answerWaiting);
        } catch (RejectedExecutionException closed) {
            LOG.debug("no decision is taken any more", closed);
        }
    }

    private void answerWaiting() {
        List<Question> asked;
        synchronized (waiting) {
            asked = List.copyOf(waiting);
            waiting.clear();
        }
        if (asked.isEmpty()) {
            return;
        }
        List<byte[]> messages = commands.map(CommandQueue::read).orElse(List.of());
        List<Command> orders = messages.stream()
                .flatMap(message -> Command.of(message).stream())
                .toList();
        for (Question question : asked) {
            try {
                if (!obeys(question, orders)) {
                    tellOfStrangers(messages);
                    answer(question, orders);
                }
            } catch (RuntimeException e) {
                LOG.error("a defect where problems are decided, please report it", e);
                tell(question, Verdict.STOP, DecidedBy.STRATEGY);
            }
        }
    }

    /** Answers by the last command that is about one of its records, if there is one. */
    private boolean obeys(Question question, List<Command> orders) {
        List<Question> records = question.each();
        Optional<Command> ordered = orders.stream()
                .filter(order -> records.stream().anyMatch(record -> isAbout(order, record)))
                .reduce((earlier, later) -> later);
        Optional<Action> action = ordered.flatMap(Command::action);
        if (action.isEmpty()) {
            return false;
        }
        ordered.ifPresent(order -> remember(order.said().toString()));
        tell(question, action.get() == Action.APPLY ? Verdict.APPLY : Verdict.SKIP, DecidedBy.COMMAND);
        return true;
    }

    /** Answers whether it was not dealt with before. */
    private boolean remember(String message) {
        if (dealtWith.size() >= REMEMBERED) {
            dealtWith.clear();
        }
        return dealtWith.add(message);
    }

    private void tellOfStrangers(List<byte[]> messages) {
        for (byte[] message : messages) {
            String text = new String(message, StandardCharsets.UTF_8);
            if (Command.of(message).isEmpty() && remember(text)) {
                LOG.atWarn()
                        .setMessage("a message of the command queue is no command: it is no JSON object")
                        .addKeyValue("message", Command.shown(text))
                        .log();
            }
        }
    }

    /** A command that was most likely meant for a record of the question does not decide about it: a person should know why. */
    private void tellOfNearMisses(Question question, List<Question> records, List<Command> orders) {
        List<Command.Wanted> compared =
                records.stream().limit(COMPARED).map(this::wanted).toList();
        for (Command order : orders) {
            Optional<Command.Wanted> meant = compared.stream()
                    .filter(order::isNearly)
                    .min(Comparator.comparingInt(
                            wanted -> order.differences(wanted).size()));
            if (meant.isPresent() && remember(order.said().toString())) {
                LOG.atWarn()
                        .setMessage("a command is passed over, because it is not quite about the record")
                        .addKeyValue("differs", String.join("; ", order.differences(meant.get())))
                        .addKeyValue("problem", question.problem().what())
                        .log();
            }
        }
    }

    private void answer(Question question, List<Command> orders) {
        List<Question> records = question.each();
        tellOfNearMisses(question, records, orders);
        Strategy strategy = records.stream().anyMatch(record -> policy(record).strategy() == Strategy.STOP)
                ? Strategy.STOP
                : Strategy.CONTINUE;
        boolean written = deadLetters.isEmpty() || buried(question, records, strategy, deadLetters.get());
        boolean goesOn = written && strategy == Strategy.CONTINUE;
        tell(question, goesOn ? Verdict.SKIP : Verdict.STOP, DecidedBy.STRATEGY);
    }

    private StreamPolicy policy(Question question) {
        return settings.streams().get(question.partition().stream());
    }

    private TableShape shape(Question question) {
        return shapes.current(policy(question).stream().table());
    }

    private boolean isAbout(Command order, Question record) {
        // the key is made only where it is needed: there may be many records
        return order.position().filter(record.position()::equals).isPresent() && order.isAbout(wanted(record));
    }

    private Command.Wanted wanted(Question record) {
        return new Command.Wanted(
                settings.instanceId(),
                policy(record).topic(),
                policy(record).stream().topic(),
                DeadLetterFormat.keyOf(record, shape(record)),
                record.position());
    }

    private void tell(Question question, Verdict verdict, DecidedBy by) {
        inbox.accept(new DecisionEvent.Decided(question.partition(), question.offset(), verdict, by));
    }

    /** Whether all the records are among the dead letters now. */
    private boolean buried(Question question, List<Question> records, Strategy strategy, DeadLetters topic) {
        Duration patience = strategy == Strategy.STOP ? settings.stopPatience() : settings.deadLetterPatience();
        List<byte[]> few = new ArrayList<>();
        long bytes = 0;
        for (Question record : records) {
            byte[] message = settings.format().message(settings.instanceId(), policy(record), record, shape(record));
            boolean full = !few.isEmpty() && (few.size() >= FEW || bytes + message.length > FEW_BYTES);
            if (full && !written(few, question, patience, topic)) {
                return false;
            }
            if (full) {
                few.clear();
                bytes = 0;
            }
            few.add(message);
            bytes += message.length;
        }
        return written(few, question, patience, topic);
    }

    private boolean written(List<byte[]> messages, Question about, Duration patience, DeadLetters topic) {
        long end = System.nanoTime() + patience.toNanos();
        Optional<String> failure = topic.write(messages);
        while (failure.isPresent()) {
            LOG.atWarn()
                    .setMessage("dead letter could not be written")
                    .addKeyValue("why", failure.get())
                    .addKeyValue("problem", about.problem().what())
                    .log();
            if (System.nanoTime() > end || isClosedWithin(settings.deadLetterPause())) {
                return false;
            }
            failure = topic.write(messages);
        }
        return true;
    }

    private boolean isClosedWithin(Duration pause) {
        try {
            return closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Ends for good; what is being decided may get no answer. */
    @Override
    public void close() {
        closing.countDown();
        executor.shutdownNow();
        commands.ifPresent(CommandQueue::close);
        deadLetters.ifPresent(DeadLetters::close);
    }
}
