package io.aardappel.program.stop;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A program that is asked to stop by a signal: {@code CODE} is what it ends with, {@code never} that it does not end. */
final class SignalledProgram {
    private SignalledProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        StopRequest stop = new StopRequest();
        boolean never = arguments[0].equals("never");
        Signals signals = Signals.turnInto(stop, never ? Duration.ofMillis(50) : Duration.ofMinutes(1));
        CountDownLatch asked = new CountDownLatch(1);
        if (!never) {
            stop.whenRequested(asked::countDown);
        }
        System.out.println("ready");
        asked.await();
        signals.ended(Integer.parseInt(arguments[0]));
    }
}
