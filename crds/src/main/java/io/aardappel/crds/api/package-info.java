/**
 * The custom resource {@code Replication}: what a person asks for and what the operator answers. The CRD's YAML is made
 * from these classes; their descriptions are what {@code kubectl explain} prints.
 */
@NullMarked
package io.aardappel.crds.api;

import org.jspecify.annotations.NullMarked;
