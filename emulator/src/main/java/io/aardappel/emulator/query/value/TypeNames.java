package io.aardappel.emulator.query.value;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Types by the names that YQL gives them, in any case. */
public final class TypeNames {
    private static final Map<String, Type> SIMPLE = simple();
    private static final Map<String, Primitive> SERIAL = Map.of(
            "smallserial", Primitive.INT16,
            "serial2", Primitive.INT16,
            "serial", Primitive.INT32,
            "serial4", Primitive.INT32,
            "serial8", Primitive.INT64,
            "bigserial", Primitive.INT64);

    private TypeNames() {}

    /** The type of one word, null when there is none of that name. */
    public static @Nullable Type simple(String name) {
        return SIMPLE.get(name.toLowerCase(Locale.ROOT));
    }

    /** The integer type behind a Serial type, null when the name is no Serial type. */
    public static @Nullable Primitive serial(String name) {
        return SERIAL.get(name.toLowerCase(Locale.ROOT));
    }

    private static Map<String, Type> simple() {
        Map<String, Type> types = new HashMap<>();
        for (Primitive type : Primitive.values()) {
            types.put(type.toString().toLowerCase(Locale.ROOT), type);
        }
        types.put("text", Primitive.UTF8);
        types.put("bytes", Primitive.STRING);
        types.put("void", Type.Unit.VOID);
        types.put("null", Type.Unit.NULL);
        types.put("emptylist", Type.Unit.EMPTY_LIST);
        types.put("emptydict", Type.Unit.EMPTY_DICT);
        return Map.copyOf(types);
    }
}
