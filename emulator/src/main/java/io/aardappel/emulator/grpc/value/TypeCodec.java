package io.aardappel.emulator.grpc.value;

import com.google.protobuf.NullValue;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import java.util.HashMap;
import java.util.Map;
import tech.ydb.proto.ValueProtos;

/** Types as the protocol writes them. */
public final class TypeCodec {
    /** Deeper types are refused: a request must not be able to exhaust the stack. */
    private static final int MAX_DEPTH = 64;

    private static final Map<Integer, Primitive> BY_ID = new HashMap<>();

    static {
        for (Primitive primitive : Primitive.values()) {
            BY_ID.put(primitive.id(), primitive);
        }
    }

    private TypeCodec() {}

    /**
     * The type that a message stands for.
     *
     * @throws InvalidValueException for types that no value can have here: variants, tagged and pg types, unknown numbers
     */
    public static Type decode(ValueProtos.Type type) {
        return decode(type, 0);
    }

    private static Type decode(ValueProtos.Type type, int depth) {
        if (depth > MAX_DEPTH) {
            throw new InvalidValueException("type is nested more than " + MAX_DEPTH + " levels deep");
        }
        return switch (type.getTypeCase()) {
            case TYPE_ID -> primitive(type.getTypeIdValue());
            case DECIMAL_TYPE -> decimal(type.getDecimalType());
            case OPTIONAL_TYPE ->
                new Type.Optional(decode(type.getOptionalType().getItem(), depth + 1));
            case LIST_TYPE -> new Type.ListOf(decode(type.getListType().getItem(), depth + 1));
            case TUPLE_TYPE ->
                new Type.Tuple(type.getTupleType().getElementsList().stream()
                        .map(item -> decode(item, depth + 1))
                        .toList());
            case STRUCT_TYPE ->
                new Type.Struct(type.getStructType().getMembersList().stream()
                        .map(member -> new Type.Member(member.getName(), decode(member.getType(), depth + 1)))
                        .toList());
            case DICT_TYPE ->
                new Type.Dict(
                        decode(type.getDictType().getKey(), depth + 1),
                        decode(type.getDictType().getPayload(), depth + 1));
            case VOID_TYPE -> Type.Unit.VOID;
            case NULL_TYPE -> Type.Unit.NULL;
            case EMPTY_LIST_TYPE -> Type.Unit.EMPTY_LIST;
            case EMPTY_DICT_TYPE -> Type.Unit.EMPTY_DICT;
            case VARIANT_TYPE -> throw new InvalidValueException("variants are not supported by the emulator");
            case TAGGED_TYPE -> throw new InvalidValueException("tagged types are not supported by the emulator");
            case PG_TYPE -> throw new InvalidValueException("pg types are not supported by the emulator");
            case TYPE_NOT_SET -> throw new InvalidValueException("type is not set");
        };
    }

    private static Primitive primitive(int id) {
        Primitive primitive = BY_ID.get(id);
        if (primitive == null) {
            throw new InvalidValueException("unknown primitive type id " + id);
        }
        return primitive;
    }

    private static Type.Decimal decimal(ValueProtos.DecimalType type) {
        int precision = type.getPrecision();
        int scale = type.getScale();
        if (precision < 1 || precision > 35 || scale < 0 || scale > precision) {
            throw new InvalidValueException("Decimal(" + Integer.toUnsignedString(precision) + ","
                    + Integer.toUnsignedString(scale) + ") is not a type: precision is 1 to 35, scale 0 to precision");
        }
        return new Type.Decimal(precision, scale);
    }

    public static ValueProtos.Type encode(Type type) {
        ValueProtos.Type.Builder wire = ValueProtos.Type.newBuilder();
        if (type instanceof Primitive primitive) {
            return wire.setTypeIdValue(primitive.id()).build();
        }
        if (type instanceof Type.Optional optional) {
            return wire.setOptionalType(ValueProtos.OptionalType.newBuilder().setItem(encode(optional.item())))
                    .build();
        }
        if (type instanceof Type.Decimal decimal) {
            return wire.setDecimalType(ValueProtos.DecimalType.newBuilder()
                            .setPrecision(decimal.precision())
                            .setScale(decimal.scale()))
                    .build();
        }
        if (type instanceof Type.Unit unit) {
            return encode(unit);
        }
        return encodeContainer(type, wire);
    }

    private static ValueProtos.Type encodeContainer(Type type, ValueProtos.Type.Builder wire) {
        if (type instanceof Type.ListOf list) {
            return wire.setListType(ValueProtos.ListType.newBuilder().setItem(encode(list.item())))
                    .build();
        }
        if (type instanceof Type.Tuple tuple) {
            ValueProtos.TupleType.Builder elements = ValueProtos.TupleType.newBuilder();
            tuple.items().forEach(item -> elements.addElements(encode(item)));
            return wire.setTupleType(elements).build();
        }
        if (type instanceof Type.Struct struct) {
            ValueProtos.StructType.Builder members = ValueProtos.StructType.newBuilder();
            struct.members()
                    .forEach(member -> members.addMembers(ValueProtos.StructMember.newBuilder()
                            .setName(member.name())
                            .setType(encode(member.type()))));
            return wire.setStructType(members).build();
        }
        if (type instanceof Type.Dict dict) {
            return wire.setDictType(ValueProtos.DictType.newBuilder()
                            .setKey(encode(dict.key()))
                            .setPayload(encode(dict.payload())))
                    .build();
        }
        throw new IllegalArgumentException("no wire form of type " + type);
    }

    private static ValueProtos.Type encode(Type.Unit unit) {
        ValueProtos.Type.Builder wire = ValueProtos.Type.newBuilder();
        return switch (unit) {
            case VOID -> wire.setVoidType(NullValue.NULL_VALUE).build();
            case NULL -> wire.setNullType(NullValue.NULL_VALUE).build();
            case EMPTY_LIST -> wire.setEmptyListType(NullValue.NULL_VALUE).build();
            case EMPTY_DICT -> wire.setEmptyDictType(NullValue.NULL_VALUE).build();
        };
    }
}
