package io.aardappel.emulator.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a {@code String} parameter that wants the connection string of the emulator of {@link WithYdb}. */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface YdbConnectionString {
    /** Path of the database, empty for the first one. */
    String value() default "";
}
