package io.aardappel.contract;

/** A nullable column of a table that this product creates: its name and its type as YQL spells it. */
public record Column(String name, String type) {}
