package io.aardappel.program.http;

/**
 * What a probe answers.
 *
 * @param ok 200 or 503
 * @param text why, one line for a person
 */
public record Answer(boolean ok, String text) {}
