package io.aardappel.replicator.engine;

/** What the engine finds in its {@link Inbox}. A closed set; each is an immutable value. */
public sealed interface Event permits SourceEvent, TargetEvent, DecisionEvent, TermEvent {}
