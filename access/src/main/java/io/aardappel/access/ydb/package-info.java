/** Connections to a YDB: how one is named, authenticated, opened and closed, and calls over them. */
@NullMarked
package io.aardappel.access.ydb;

import org.jspecify.annotations.NullMarked;
