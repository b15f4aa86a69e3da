package io.aardappel.kube.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Hands a {@link KubeApiServer} to constructors, lifecycle methods and tests that have a parameter of that type, and an
 * administrator's client to those that have one of type {@link io.fabric8.kubernetes.client.KubernetesClient}.
 *
 * <p>All tests of a JVM share one server, which takes seconds to start, and stay apart by
 * {@linkplain KubeApiServer#newNamespace() namespaces}. It stops after the last test, and with the JVM however that ends.
 *
 * <p>On a machine without the server's programs the tests are skipped, and the reason names the remedy; where the
 * environment says {@code CI=true} they fail instead.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KubeApiServerExtension.class)
public @interface WithKubeApiServer {}
