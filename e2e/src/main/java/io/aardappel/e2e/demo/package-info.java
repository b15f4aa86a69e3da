/** The demo: a workload replicated from one database to another, the active process killed, the tables compared. */
@NullMarked
package io.aardappel.e2e.demo;

import org.jspecify.annotations.NullMarked;
