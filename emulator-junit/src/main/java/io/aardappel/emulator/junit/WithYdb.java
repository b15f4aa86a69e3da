package io.aardappel.emulator.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Starts an emulator for a test class and hands it to constructors, lifecycle methods and tests that have a parameter of
 * type {@link io.aardappel.emulator.YdbEmulator}, or a {@code String} parameter annotated with {@link YdbConnectionString}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(YdbExtension.class)
public @interface WithYdb {
    /** How long one emulator lives. */
    enum Lifetime {
        /** All tests of the class, nested ones too, share it. */
        CLASS,
        /** Each test gets a new, empty one. */
        TEST
    }

    Lifetime lifetime() default Lifetime.CLASS;

    /** Absolute paths of its databases. */
    String[] databases() default {"/local"};

    /** Keeps all versions of all rows, so that tests can read the past. */
    boolean retainHistory() default false;

    /** Seed of faults that strike by chance. */
    long seed() default 0;
}
