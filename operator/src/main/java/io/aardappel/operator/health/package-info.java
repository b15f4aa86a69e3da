/** What the probes answer, and the pages over HTTP. Asks what it is given; knows neither cluster nor databases. */
@NullMarked
package io.aardappel.operator.health;

import org.jspecify.annotations.NullMarked;
