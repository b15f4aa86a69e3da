package io.aardappel.replicator.ydb.target;

/**
 * What a transaction leaves in our instance row to be recognised by.
 *
 * @param owner of the lock term
 * @param commitSeq the transaction's own number, one above the last
 * @param attempt unique under the owner
 */
record Mark(String owner, long commitSeq, long attempt) {}
