/** What end-to-end runs are made of: databases through the SDK, and processes that do not outlive this one. */
@NullMarked
package io.aardappel.e2e.world;

import org.jspecify.annotations.NullMarked;
