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
        StreamPolicy policy = settings.streams().get(question.partition().stream());
        TableShape shape = shapes.current(policy.stream().table());
        String key = DeadLetterFormat.keyOf(question, shape);
        Optional<Action> ordered = orders.stream()
                .filter(order -> order.isAbout(settings.instanceId(), policy.topic(), key, question.position()))
                .map(Command::action)
                .reduce((earlier, later) -> later);
        if (ordered.isPresent()) {
            tell(question, ordered.get() == Action.APPLY ? Verdict.APPLY : Verdict.SKIP, DecidedBy.COMMAND);
            return;
        }
        boolean written = buried(question, policy, shape);
        boolean goesOn = written && policy.strategy() == Strategy.CONTINUE;
        tell(question, goesOn ? Verdict.SKIP : Verdict.STOP, DecidedBy.STRATEGY);
    }

    private void tell(Question question, Verdict verdict, DecidedBy by) {
        inbox.accept(new DecisionEvent.Decided(question.partition(), question.offset(), verdict, by));
    }

    /** Whether the record is among the dead letters, or none are kept. */
    private boolean buried(Question question, StreamPolicy policy, TableShape shape) {
        if (deadLetters.isEmpty()) {
            return true;
        }
        byte[] message = settings.format().message(settings.instanceId(), policy, question, shape);
        Duration patience =
                policy.strategy() == Strategy.STOP ? settings.stopPatience() : settings.deadLetterPatience();
        long end = System.nanoTime() + patience.toNanos();
        Optional<String> failure = deadLetters.get().write(message);
        while (failure.isPresent()) {
            LOG.atWarn()
                    .setMessage("dead letter could not be written")
                    .addKeyValue("why", failure.get())
                    .addKeyValue("problem", question.problem().what())
                    .log();
            if (System.nanoTime() > end || isClosedWithin(settings.deadLetterPause())) {
                return false;
            }
            failure = deadLetters.get().write(message);
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
