package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.Replication;
import io.aardappel.replicator.core.Rules;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import io.aardappel.replicator.engine.TargetEvent.Blame;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The one loop. One thread owns all its state and calls {@link #doWork} again and again; everything that takes time is
 * asked of a port and answered through the {@link Inbox}. {@link #requestStop}, {@link #status} and {@link #exit} may be
 * called from any thread.
 *
 * <p>At most one request to the target is under way, so that renewals and transactions are serial. A lock term is thrown
 * away whole when the lock is lost.
 */
public final class Engine {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    /** Events taken in one turn, so that renewals and transactions get their turn too. */
    private static final int EVENTS_PER_TURN = 256;

    private static final long STATUS_NANOS = 250_000_000L;
    private static final long LONGEST_IDLE_NANOS = 100_000_000L;

    /** Problems of the configuration, or of a state row that says so already or is gone: nothing is written. */
    private static final Set<Reason> NOT_WRITTEN = EnumSet.of(
            Reason.STREAM_MISSING,
            Reason.STREAM_NOT_MEMBER,
            Reason.SHARED_TABLE,
            Reason.SHARED_CONSUMER,
            Reason.STATE_INVALID,
            Reason.STATE_LOST,
            Reason.LOCK_NOT_ACQUIRED);

    /** What the engine stands on. */
    public record Ports(
            ChangeSource source,
            CheckpointedTarget target,
            Decisions decisions,
            Ticker ticker,
            EngineObserver observer) {}

    private enum Request {
        NONE,
        ACQUIRE,
        RENEW,
        VERIFY,
        LOAD,
        COMMIT,
        FATAL,
        RELEASE
    }

    private final EngineSettings settings;
    private final Ports ports;
    private final Ticker ticker;
    private final Inbox inbox;
    private final Rules rules;
    private final LockPace lock;
    private final Retry retry;
    private final Tally tally;
    private final StatusBoard board;
    private final Hindrances hindrances;
    private volatile boolean stopRequested;
    private volatile EngineStatus status;
    private volatile @Nullable Exit exit;

    private Mode mode = Mode.STARTING;
    private Request request = Request.NONE;
    private long requestedAt;
    private final long startedAt;
    private String owner = "";
    private long lockSince;
    private long termNumber;
    private @Nullable Term term;
    private @Nullable Batch batch;
    private long batchFirstSentAt;
    private long lastOutcomeAt;
    private long lastProgressAt;
    private long mirroredAt;
    private @Nullable Problem problem;
    private boolean verified;
    private boolean fatalAttempted;
    private boolean fatalWritten;
    private boolean releaseFirst;
    /** Why everything is to be read anew from what is durable, null as a rule. */
    private @Nullable String readAnew;
    /** Something is to be tried again, but not yet. Once it may be, it is for the inbox to say when there is reason to. */
    private boolean pausing;
    /** What was warned of and is not over; its end is told at the level of its beginning. */
    private boolean lossTold;

    private boolean refusalTold;

    private long publishedAt;

    /**
     * @param inbox where the ports deliver; the engine is its only reader
     * @param random spreads lock attempts and retries
     * @param rules {@link Rules#STANDARD} in programs
     */
    public Engine(EngineSettings settings, Ports ports, Inbox inbox, RandomGenerator random, Rules rules) {
        this.settings = settings;
        this.ports = ports;
        this.ticker = ports.ticker();
        this.inbox = inbox;
        this.rules = rules;
        this.startedAt = ticker.nanos();
        this.lock = new LockPace(settings.lockTtl(), random, startedAt);
        this.retry = new Retry(settings.retryPauseMax(), random);
        this.tally = new Tally(settings.streams().size());
        this.board = new StatusBoard(settings);
        this.hindrances = new Hindrances(lock, retry, ticker, settings);
        this.lockSince = ticker.wallMillis();
        this.lastProgressAt = lockSince;
        this.publishedAt = startedAt;
        this.mirroredAt = startedAt;
        this.status = snapshot();
    }

    // ---- from any thread

    /** Ends at the next transaction border: the lock is released and {@link #exit} becomes present. */
    public void requestStop() {
        stopRequested = true;
        inbox.wake();
    }

    public EngineStatus status() {
        return status;
    }

    /** Absent while the engine has not ended. */
    public Optional<Exit> exit() {
        return Optional.ofNullable(exit);
    }

    // ---- the duty cycle

    /** Runs turns until the engine has ended, waiting on the inbox in between. For the thread of a program. */
    public Exit run() {
        Exit ended = exit;
        while (ended == null) {
            if (doWork() == 0) {
                inbox.await(idleNanos());
            }
            ended = exit;
        }
        return ended;
    }

    /**
     * One turn of the duty cycle; never blocks.
     *
     * @return how much was done; 0 means that the caller may wait for the inbox, at most {@link #idleNanos}
     */
    public int doWork() {
        if (mode == Mode.ENDED) {
            return 0;
        }
        Mode before = mode;
        if (mode == Mode.STARTING) {
            ports.target().start(inbox);
            mode = Mode.STANDBY;
        }
        int done = takeEvents();
        done += step();
        done += term == null ? 0 : term.turn();
        publish(before != mode);
        return done;
    }

    /** How long the caller may wait after a turn that did nothing, unless the inbox gets something. */
    public long idleNanos() {
        long now = ticker.nanos();
        long wait = Math.min(LONGEST_IDLE_NANOS, Math.max(0, publishedAt + STATUS_NANOS - now));
        if (request == Request.NONE) {
            wait = Math.min(wait, lock.nanosToWait(now));
        }
        if (pausing) {
            wait = Math.min(wait, retry.nanosToWait(now));
        }
        return Math.max(1, wait);
    }

    private int takeEvents() {
        int taken = 0;
        while (taken < EVENTS_PER_TURN) {
            Event event = inbox.poll();
            if (event == null) {
                break;
            }
            taken++;
            on(event);
        }
        return taken;
    }

    private void on(Event event) {
        if (event instanceof TermEvent ofTerm) {
            if (term != null && ofTerm.term() == termNumber && ofTerm.event() instanceof SourceEvent told) {
                term.on(told);
                term.problem().ifPresent(this::fail);
            }
        } else if (event instanceof TargetEvent.ReadAnew changed) {
            readAnew = changed.why();
        } else if (event instanceof TargetEvent answer) {
            onAnswer(answer);
        } else if (event instanceof DecisionEvent.Decided decided) {
            if (term != null && term.on(decided)) {
                term.problem().ifPresent(this::fail);
            }
        } else {
            throw new IllegalArgumentException("a source's event outside of a term: " + event);
        }
    }

    /** Begins what is due next; nothing while an answer is awaited. */
    private int step() {
        long now = ticker.nanos();
        pausing = false;
        if (lock.expired(now)) {
            releaseFirst = true;
            loseTerm("the lock's horizon passed without a renewal");
        }
        if (request != Request.NONE) {
            return 0;
        }
        if (releaseFirst) {
            releaseFirst = false;
            return ask(Request.RELEASE, ports.target()::release);
        }
        if (problem != null || stopRequested) {
            return end();
        }
        if (!lock.isHeld()) {
            return seekLock(now);
        }
        if (lock.due(now)) {
            return ask(Request.RENEW, ports.target()::renew);
        }
        pausing = !retry.mayTry(now);
        if (pausing) {
            return 0;
        }
        return term == null ? ask(Request.LOAD, ports.target()::load) : replicate(term);
    }

    private int ask(Request kind, Runnable asking) {
        request = kind;
        requestedAt = ticker.nanos();
        asking.run();
        return 1;
    }

    private int seekLock(long now) {
        if (!settings.multipleInstances()
                && now - startedAt > settings.lockPatience().toNanos()) {
            fail(new Problem(
                    Reason.LOCK_NOT_ACQUIRED,
                    "the lock of instance %s is held by %s".formatted(settings.instanceId(), owner),
                    "Stop the other process, or set multiple_instances_mode to wait for the lock"));
            return 1;
        }
        return lock.due(now) ? ask(Request.ACQUIRE, ports.target()::acquire) : 0;
    }

    private int replicate(Term current) {
        if (readAnew != null) {
            return readAnew(readAnew);
        }
        Replication replication = current.replication().orElse(null);
        if (replication == null || current.suspects()) {
            return 0;
        }
        mode = Mode.ACTIVE;
        mirrorWhenDue(replication);
        Optional<Batch> next = replication.next();
        current.carryOut();
        current.problem().ifPresent(this::fail);
        if (next.isEmpty() || problem != null) {
            return 0;
        }
        Batch decided = next.get();
        batch = decided;
        if (!retry.failing()) {
            batchFirstSentAt = ticker.nanos();
        }
        return ask(Request.COMMIT, () -> ports.target().commit(decided));
    }

    /** The lock stays, the rest of the term goes: the next one begins where this one's last transaction ended. */
    private int readAnew(String why) {
        LOG.atInfo().setMessage("reading anew").addKeyValue("why", why).log();
        dropTerm();
        termNumber++; // what is still on its way belongs to no term any more
        mode = Mode.LOADING;
        return ask(Request.LOAD, ports.target()::load);
    }

    private void mirrorWhenDue(Replication replication) {
        long now = ticker.nanos();
        if (now - mirroredAt >= settings.offsetMirrorInterval().toNanos()) {
            mirroredAt = now;
            replication.mirrorOffsets();
        }
    }

    // ---- answers of the target

    private void onAnswer(TargetEvent answer) {
        Request answered = request;
        request = Request.NONE;
        if (answer instanceof TargetEvent.LockHeld held) {
            onHeld(answered, held.owner());
        } else if (answer instanceof TargetEvent.LockBusy busy) {
            onBusy(busy.owner());
        } else if (answer instanceof TargetEvent.LockUnknown unknown) {
            onUnknown(unknown.why());
        } else if (answer instanceof TargetEvent.LockFatal failed) {
            fail(failed.problem());
        } else if (answer instanceof TargetEvent.Loaded loaded) {
            onLoaded(loaded.state());
        } else if (answer instanceof TargetEvent.LoadRetryable failed) {
            retryLater("LOAD", failed.why());
        } else if (answer instanceof TargetEvent.LoadFatal failed) {
            fail(failed.problem());
        } else if (answer instanceof TargetEvent.Committed) {
            onCommitted();
        } else if (answer instanceof TargetEvent.Retryable failed) {
            onRetryable(failed);
        } else if (answer instanceof TargetEvent.Refused refused) {
            onRefused(refused);
        } else if (answer instanceof TargetEvent.Outdated outdated) {
            batch = null;
            readAnew = outdated.why();
        } else if (answer instanceof TargetEvent.Fenced fenced) {
            releaseFirst = true;
            loseTerm(fenced.why());
        } else if (answer instanceof TargetEvent.FatalWritten) {
            fatalWritten = true;
        } else if (answer instanceof TargetEvent.FatalNotWritten failed) {
            LOG.atError()
                    .setMessage("FATAL_ERROR could not be written")
                    .addKeyValue("why", failed.why())
                    .log();
        } else if (answer instanceof TargetEvent.LockReleased) {
            onReleased();
        } else {
            throw new IllegalArgumentException("unknown answer " + answer);
        }
    }

    private void onHeld(Request answered, String us) {
        boolean acquired = !lock.isHeld();
        if (acquired && answered != Request.ACQUIRE) {
            releaseFirst = true; // the horizon passed while this answer was on its way: the term is over
            return;
        }
        answersAgain();
        lock.held(requestedAt);
        owner = us;
        verified = answered == Request.VERIFY;
        if (acquired) {
            mode = Mode.LOADING;
            lockSince = ticker.wallMillis();
            lastProgressAt = lockSince;
            termNumber++;
            lastOutcomeAt = ticker.nanos();
            tally.termBegan();
            retry.succeeded();
            LOG.atLevel(lossTold ? Level.WARN : Level.INFO)
                    .setMessage("lock acquired")
                    .addKeyValue("owner", us)
                    .log();
            lossTold = false;
        }
    }

    private void answersAgain() {
        if (lock.trouble().isPresent()) {
            LOG.warn("the lock can be asked for again");
        }
    }

    private void onBusy(String holder) {
        answersAgain();
        if (lock.isHeld()) {
            loseTerm("held by " + holder);
        } else {
            if (!owner.equals(holder)) {
                LOG.atLevel(lossTold ? Level.WARN : Level.INFO)
                        .setMessage("waiting for the lock")
                        .addKeyValue("owner", holder)
                        .log();
                lossTold = false;
            }
        }
        lock.lost(ticker.nanos());
        owner = holder;
    }

    private void onUnknown(String why) {
        if (lock.unknown(ticker.nanos(), why)) {
            LOG.atWarn()
                    .setMessage("the lock could not be asked for")
                    .addKeyValue("why", why)
                    .log();
        }
    }

    private void onReleased() {
        lock.expire(ticker.nanos());
        owner = "";
    }

    private void onLoaded(SavedState saved) {
        if (!lock.isHeld()) {
            return;
        }
        retry.succeeded();
        takesAgain();
        Optional<Problem> refusal = saved.refusal(settings.instanceId());
        if (refusal.isPresent()) {
            fail(refusal.get());
            return;
        }
        readAnew = null;
        long number = termNumber;
        Term begun = new Term(settings, ports, rules, saved);
        term = begun;
        ports.source().start(settings.streams(), event -> inbox.accept(new TermEvent(number, event)));
        begun.begin();
    }

    private void onCommitted() {
        Batch durable = batch;
        batch = null;
        if (durable == null || term == null || !lock.isHeld()) {
            return; // the term ended while the answer was on its way; the next one loads what is durable
        }
        Replication replication = term.replication().orElseThrow();
        int[] byStream = replication.decidedChanges();
        Stage before = replication.stage();
        replication.committed(durable);
        term.carryOut();
        lock.held(requestedAt);
        retry.succeeded();
        takesAgain();
        count(durable, byStream);
        if (before != replication.stage()) {
            LOG.atInfo()
                    .setMessage("initial scan is done")
                    .addKeyValue("stage", replication.stage())
                    .addKeyValue("checkpoint", replication.checkpoint())
                    .log();
        }
    }

    private void takesAgain() {
        if (refusalTold) {
            refusalTold = false;
            LOG.warn("the destination refuses no more");
        }
    }

    private void count(Batch durable, int[] byStream) {
        long now = ticker.nanos();
        tally.committed(durable, byStream);
        ports.observer().committed(durable, now - batchFirstSentAt, batchFirstSentAt - lastOutcomeAt);
        for (int stream = 0; stream < byStream.length; stream++) {
            if (byStream[stream] > 0) {
                ports.observer().applied(stream, byStream[stream]);
            }
        }
        lastOutcomeAt = now;
        if (durable.checkpoint().isPresent()
                || durable.changes() > 0
                || !durable.decisions().isEmpty()) {
            lastProgressAt = ticker.wallMillis();
        }
    }

    private void onRetryable(TargetEvent.Retryable failed) {
        Batch refused = batch;
        batch = null;
        if (refused == null || term == null) {
            return;
        }
        term.replication().ifPresent(replication -> replication.refused(refused, failed.timedOut()));
        retryLater(failed.cause(), failed.why());
    }

    private void onRefused(TargetEvent.Refused answer) {
        Batch refused = batch;
        batch = null;
        if (answer.blame() == Blame.NO_ROW) {
            fail(named(answer));
        } else if (refused != null && term != null) {
            retry.succeeded();
            term.refused(refused, answer);
            term.problem().ifPresent(this::fail);
        }
    }

    private Problem named(TargetEvent.Refused refused) {
        Problem why = refused.problem();
        return refused.row()
                .map(row -> new Problem(why.reason(), settings.place(row) + ": " + why.what(), why.remedy()))
                .orElse(why);
    }

    private void retryLater(String cause, String why) {
        long now = ticker.nanos();
        boolean first = !retry.failing();
        retry.failed(now, cause + ": " + why);
        tally.retried(cause);
        ports.observer().retried(cause);
        if (first) {
            refusalTold = true;
            LOG.atWarn()
                    .setMessage("destination refused, will be tried again")
                    .addKeyValue("cause", cause)
                    .addKeyValue("why", why)
                    .log();
        }
        if (retry.failingFor(now) > settings.retryTimeMax().toNanos()) {
            fail(new Problem(
                    Reason.DESTINATION_FAILED,
                    "the destination refused %d attempts in a row, last with %s: %s"
                            .formatted(retry.failures(), cause, why),
                    "See what the destination's answer names, then set state to OK and start again"));
        }
    }

    // ---- the ends of a term and of the engine

    private void fail(Problem why) {
        if (problem == null) {
            problem = why;
            lock.hurry(ticker.nanos());
            LOG.atError()
                    .setMessage("cannot go on")
                    .addKeyValue("problem", why.text())
                    .log();
        }
    }

    private void loseTerm(String why) {
        LOG.atWarn()
                .setMessage("lock lost")
                .addKeyValue("owner", owner)
                .addKeyValue("why", why)
                .log();
        lossTold = true;
        lock.expire(ticker.nanos());
        lockSince = ticker.wallMillis();
        if (problem != null && !NOT_WRITTEN.contains(problem.reason()) && !fatalAttempted) {
            problem = null; // what we knew may be stale; whoever holds the lock will see it if it is so
        }
        dropTerm();
        mode = Mode.STANDBY;
    }

    private void dropTerm() {
        Term ended = term;
        term = null;
        batch = null;
        verified = false;
        retry.succeeded();
        board.forget();
        if (ended != null) {
            tally.termEnded(ended.counters());
            ports.source().stop();
        }
    }

    /** Goes one request nearer to the end; called while no answer is awaited. */
    private int end() {
        mode = Mode.STOPPING;
        Problem why = problem;
        if (why != null && lock.isHeld() && !NOT_WRITTEN.contains(why.reason()) && !fatalAttempted) {
            if (!verified) {
                return lock.due(ticker.nanos()) ? ask(Request.VERIFY, ports.target()::renew) : 0;
            }
            fatalAttempted = true;
            return ask(Request.FATAL, () -> ports.target().writeFatal(why));
        }
        dropTerm();
        if (lock.isHeld()) {
            return ask(Request.RELEASE, ports.target()::release);
        }
        exit = new Exit(Optional.ofNullable(why), fatalWritten);
        mode = Mode.ENDED;
        LOG.atInfo()
                .setMessage("engine ended")
                .addKeyValue("stopRequested", stopRequested)
                .log();
        return 1;
    }

    // ---- status

    private void publish(boolean now) {
        long nanos = ticker.nanos();
        if (now || nanos - publishedAt >= STATUS_NANOS) {
            publishedAt = nanos;
            status = snapshot();
        }
    }

    private EngineStatus snapshot() {
        long now = ticker.wallMillis();
        boolean held = lock.isHeld();
        long horizon = held ? now + lock.left(ticker.nanos()) / 1_000_000 : 0;
        EngineStatus.Lock holder = new EngineStatus.Lock(held, owner, lockSince, horizon);
        return board.status(
                new StatusBoard.Moment(now, mode, holder, lastProgressAt, problem), term, tally, hindrances);
    }
}
