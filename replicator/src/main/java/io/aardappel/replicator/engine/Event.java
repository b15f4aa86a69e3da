package io.aardappel.replicator.engine;

/** What a port tells the engine. A closed set; each is an immutable value and is given to the {@link Inbox}. */
public sealed interface Event permits SourceEvent, TargetEvent, DecisionEvent {}
