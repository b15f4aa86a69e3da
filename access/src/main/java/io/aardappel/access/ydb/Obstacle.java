package io.aardappel.access.ydb;

/**
 * Why no server can be talked to at an address, in words for a person.
 *
 * @param what happened
 * @param remedy what to do about it
 */
public record Obstacle(String what, String remedy) {}
