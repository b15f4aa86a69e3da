package io.aardappel.replicator.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How to reach one side.
 *
 * @param endpoint address and database
 * @param balancer whether calls are spread over the nodes that discovery names; otherwise they go to the given address
 * @param authentication how calls are let in
 * @param tlsCa PEM file of further certificate authorities; empty means those of the Java runtime
 */
public record DatabaseConfig(
        Endpoint endpoint, boolean balancer, Authentication authentication, Optional<Path> tlsCa) {}
