package io.aardappel.crds.api;

/** A NetworkPolicy as the operator makes it; has no members yet. */
public record NetworkIsolation() {}
