package io.aardappel.emulator.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import java.util.List;
import java.util.Random;

/** Messages of any type, filled by chance with values that are often almost right. */
final class RandomMessages {
    private static final int DEPTH_MAX = 7;
    private static final List<Long> NUMBERS = List.of(0L, 1L, -1L, 7L, 255L, 1L << 31, Long.MAX_VALUE, Long.MIN_VALUE);

    private final Random random;
    private final List<String> words;

    /** @param words what texts are chosen from */
    RandomMessages(Random random, List<String> words) {
        this.random = random;
        this.words = words;
    }

    DynamicMessage of(Descriptor type) {
        return of(type, 0);
    }

    private DynamicMessage of(Descriptor type, int depth) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        for (FieldDescriptor field : type.getFields()) {
            if (depth > DEPTH_MAX || random.nextInt(10) < (depth < 2 ? 2 : 5)) {
                continue;
            }
            if (!field.isRepeated()) {
                message.setField(field, value(field, depth));
            } else if (!field.isMapField()) {
                for (int i = random.nextInt(3); i > 0; i--) {
                    message.addRepeatedField(field, value(field, depth));
                }
            } else {
                message.addRepeatedField(field, of(field.getMessageType(), depth + 1));
            }
        }
        return message.build();
    }

    private Object value(FieldDescriptor field, int depth) {
        return switch (field.getJavaType()) {
            case INT -> NUMBERS.get(random.nextInt(NUMBERS.size())).intValue();
            case LONG -> NUMBERS.get(random.nextInt(NUMBERS.size()));
            case FLOAT -> Float.NaN;
            case DOUBLE -> Double.NEGATIVE_INFINITY;
            case BOOLEAN -> random.nextBoolean();
            case STRING -> words.get(random.nextInt(words.size()));
            case BYTE_STRING -> ByteString.copyFromUtf8(words.get(random.nextInt(words.size())));
            case ENUM -> constant(field);
            case MESSAGE -> of(field.getMessageType(), depth + 1);
        };
    }

    private EnumValueDescriptor constant(FieldDescriptor field) {
        List<EnumValueDescriptor> constants = field.getEnumType().getValues();
        return random.nextInt(20) == 0
                ? field.getEnumType().findValueByNumberCreatingIfUnknown(9_999)
                : constants.get(random.nextInt(constants.size()));
    }
}
