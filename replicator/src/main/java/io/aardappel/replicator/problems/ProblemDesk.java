package io.aardappel.replicator.problems;

import io.aardappel.replicator.codec.DestinationShapes;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.engine.DecisionEvent;
import io.aardappel.replicator.engine.Decisions;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.problems.StreamPolicy.Strategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        List<Command> orders = commands.map(CommandQueue::read).orElse(List.of()).stream()
                .flatMap(message -> Command.of(message).stream())
                .toList();
        for (Question question : asked) {
            try {
                answer(question, orders);
            } catch (RuntimeException e) {
                LOG.error("a defect where problems are decided, please report it", e);
                tell(question, Verdict.STOP, DecidedBy.STRATEGY);
            }
        }
    }

    private void answer(Question question, List<Command> orders) {
        List<Question> records = question.each();
        Optional<Action> ordered = orders.stream()
                .filter(order -> records.stream().anyMatch(record -> isAbout(order, record)))
                .map(Command::action)
                .reduce((earlier, later) -> later);
        if (ordered.isPresent()) {
            tell(question, ordered.get() == Action.APPLY ? Verdict.APPLY : Verdict.SKIP, DecidedBy.COMMAND);
            return;
        }
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
        return order.position().equals(record.position())
                && order.isAbout(
                        settings.instanceId(),
                        policy(record).topic(),
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
