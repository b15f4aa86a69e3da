package io.aardappel.emulator.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.aardappel.emulator.grpc.Permissions;
import io.aardappel.emulator.grpc.Permissions.Right;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Commands about what users may do as JSON. */
final class AccessRules {
    private AccessRules() {}

    /** Takes rights away and gives them back, in this order. */
    static ObjectNode apply(String user, String path, JsonNode body, Permissions permissions) {
        Right[] revoked = rights(body.path("revoke"));
        Right[] granted = rights(body.path("grant"));
        if (revoked.length + granted.length == 0) {
            throw new IllegalArgumentException("give 'revoke' or 'grant' a list of rights: describe, read, write");
        }
        permissions.revoke(user, path, revoked);
        permissions.grant(user, path, granted);
        return JsonNodeFactory.instance
                .objectNode()
                .put("revoked", revoked.length)
                .put("granted", granted.length);
    }

    private static Right[] rights(JsonNode words) {
        List<Right> rights = new ArrayList<>();
        words.forEach(word -> rights.add(right(word.asText())));
        return rights.toArray(Right[]::new);
    }

    private static Right right(String word) {
        for (Right right : Right.values()) {
            if (right.name().toLowerCase(Locale.ROOT).equals(word)) {
                return right;
            }
        }
        throw new IllegalArgumentException("'" + word + "' is no right; rights are describe, read and write");
    }
}
