package io.aardappel.replicator.codec;

import java.math.BigInteger;

/** A signed 128-bit integer in two's complement, as a Decimal travels. */
public record Int128(long high, long low) {
    @Override
    public String toString() {
        return toBigInteger().toString();
    }

    public BigInteger toBigInteger() {
        return BigInteger.valueOf(high).shiftLeft(64).add(new BigInteger(Long.toUnsignedString(low)));
    }
}
