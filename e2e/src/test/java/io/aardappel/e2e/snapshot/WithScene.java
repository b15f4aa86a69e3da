package io.aardappel.e2e.snapshot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Hands an empty {@link Scene} to tests, and to what runs before and after each, that have a parameter of that type: one for
 * each test, closed after it. Tests whose emulator is a special one make their scenes themselves.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SceneExtension.class)
@interface WithScene {}
