package io.aardappel.emulator.grpc.topic;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;

/** Instants and durations of the protocol from and to milliseconds and {@code java.time}. */
final class Times {
    private Times() {}

    static Timestamp timestamp(long millis) {
        return Timestamp.newBuilder()
                .setSeconds(Math.floorDiv(millis, 1_000L))
                .setNanos((int) Math.floorMod(millis, 1_000L) * 1_000_000)
                .build();
    }

    static long millis(Timestamp timestamp) {
        return timestamp.getSeconds() * 1_000 + timestamp.getNanos() / 1_000_000;
    }

    static Duration duration(java.time.Duration duration) {
        return Duration.newBuilder()
                .setSeconds(duration.getSeconds())
                .setNanos(duration.getNano())
                .build();
    }

    static java.time.Duration duration(Duration duration) {
        return java.time.Duration.ofSeconds(duration.getSeconds(), duration.getNanos());
    }
}
