package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.table.Transaction;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One execution of a text inside a transaction. */
public final class Run {
    private final Transaction transaction;
    private final LongSupplier nowMicros;
    private final IdentityHashMap<Object, Optional<Object>> named = new IdentityHashMap<>();

    /** @param nowMicros the time that the functions of the current time give, the same for the whole transaction */
    public Run(Transaction transaction, LongSupplier nowMicros) {
        this.transaction = transaction;
        this.nowMicros = nowMicros;
    }

    Transaction transaction() {
        return transaction;
    }

    long nowMicros() {
        return nowMicros.getAsLong();
    }

    /** The value under this key, worked out once a statement. */
    @Nullable
    Object once(Object key, Supplier<@Nullable Object> value) {
        Optional<Object> known = named.get(key);
        if (known == null) {
            known = Optional.ofNullable(value.get());
            named.put(key, known);
        }
        return known.orElse(null);
    }

    /** A new statement reads anew what named queries stand for. */
    void nextStatement() {
        named.clear();
    }
}
