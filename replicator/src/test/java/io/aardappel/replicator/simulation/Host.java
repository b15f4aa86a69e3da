package io.aardappel.replicator.simulation;

import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.engine.Inbox;
import io.aardappel.replicator.engine.Ticker;
import java.util.function.Consumer;

/** What a process runs on: it lives until it is killed, sleeps when it is frozen, and has clocks of its own. */
final class Host implements Ticker {
    final String name;
    final Inbox inbox = new Inbox();
    private final Schedule schedule;
    private double crashPerCall;
    private final double rate;
    private long skewMillis;
    private long frozenUntil;
    private boolean dead;
    private boolean hasMail = true;

    /**
     * @param crashPerCall probability that it dies at a call that it makes
     * @param rate how fast its monotonic clock goes
     */
    Host(Schedule schedule, String name, double crashPerCall, double rate) {
        this.schedule = schedule;
        this.name = name;
        this.crashPerCall = crashPerCall;
        this.rate = rate;
        setClock();
    }

    @Override
    public long nanos() {
        return (long) (schedule.nanos() * rate);
    }

    @Override
    public long wallMillis() {
        return schedule.millis() + skewMillis;
    }

    /** Somebody sets its wall clock, by up to an hour. */
    void setClock() {
        skewMillis = schedule.random.nextInt(7_200_000) - 3_600_000L;
    }

    /** Virtual nanoseconds in which its own clock makes that many. */
    long virtual(long ownNanos) {
        return (long) Math.ceil(ownNanos / rate) + 1;
    }

    boolean dead() {
        return dead;
    }

    void kill() {
        dead = true;
    }

    boolean frozen() {
        return schedule.millis() < frozenUntil;
    }

    void freeze(long millis) {
        frozenUntil = schedule.millis() + millis;
    }

    /** Nothing happens to it any more. */
    void calm() {
        frozenUntil = 0;
        crashPerCall = 0;
    }

    /** To be asked at each call that its process makes. */
    boolean mayCall() {
        if (!dead && schedule.chance(crashPerCall)) {
            schedule.note("%s is killed in the middle", name);
            dead = true;
        }
        return !dead;
    }

    /** Runs a part of the process: when it is awake, and not at all when it is dead. */
    void run(Runnable part) {
        if (dead) {
            return;
        }
        if (frozen()) {
            schedule.afterMillis(Math.min(100, frozenUntil - schedule.millis()), () -> run(part));
            return;
        }
        part.run();
    }

    /** Gives the process something to think about, unless it is dead. */
    void deliver(Consumer<Event> to, Event event) {
        if (!dead) {
            to.accept(event);
            hasMail = true;
        }
    }

    /** Whether something was delivered since the last time. */
    boolean takeMail() {
        boolean had = hasMail;
        hasMail = false;
        return had;
    }
}
