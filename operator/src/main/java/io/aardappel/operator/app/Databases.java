package io.aardappel.operator.app;

import io.aardappel.operator.act.StateChanges;
import io.aardappel.operator.observe.PolledStates;
import io.aardappel.operator.observe.SecretBook;

/**
 * How the operator comes to the databases of resources.
 *
 * @param sources opens those that are copied
 * @param destinations opens those that are kept in step
 * @param secrets what the Secrets hold that resources name
 * @param changes changes what stands in them
 */
public record Databases(
        PolledStates.Destinations sources,
        PolledStates.Destinations destinations,
        SecretBook secrets,
        StateChanges changes) {}
