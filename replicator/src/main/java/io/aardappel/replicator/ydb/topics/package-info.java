/** Topics in: the engine's {@code ChangeSource} over read sessions of its own. */
@NullMarked
package io.aardappel.replicator.ydb.topics;

import org.jspecify.annotations.NullMarked;
