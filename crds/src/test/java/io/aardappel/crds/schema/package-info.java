/** Makes the CRD's YAML out of the model and holds it to what users and API servers expect of one. */
@NullMarked
package io.aardappel.crds.schema;

import org.jspecify.annotations.NullMarked;
