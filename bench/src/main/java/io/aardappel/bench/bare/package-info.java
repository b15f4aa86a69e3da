/** YDB by gRPC's stubs alone, with nothing of a client library between. */
@NullMarked
package io.aardappel.bench.bare;

import org.jspecify.annotations.NullMarked;
