/** The tickets that calls carry: fixed ones, and ones that are exchanged for other tokens and renewed in time. */
@NullMarked
package io.aardappel.access.auth;

import org.jspecify.annotations.NullMarked;
