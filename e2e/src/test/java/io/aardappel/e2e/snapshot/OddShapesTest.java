package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.value.Bytes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.PrimitiveValue;

@WithScene
@DisplayName("Tables at the edges of what YDB allows are replicated")
class OddShapesTest {
    private static final String KEY_ONLY = "key-only";
    private static final String WIDE = "dir.with/wide-Ü馬";
    private static final String DEEP = "deep";
    private static final String STRICT = "strict";
    private static final String BIG = "big";
    private static final List<String> TABLES = List.of(KEY_ONLY, WIDE, DEEP, STRICT);
    private static final int VALUE_BYTES_MAX = 8 << 20;

    private Scene scene;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
    }

    @Test
    @DisplayName("whether with keys alone, 20 of them, 200 columns, values of 8 MB or columns that are NOT NULL")
    void allOfThem() {
        scene.table(
                KEY_ONLY, "`the key` Int64 NOT NULL, `select` Utf8, PRIMARY KEY (`the key`, `select`)", "", "UPDATES");
        scene.table(
                WIDE,
                "k Uint64 NOT NULL, " + columns("sloupec č. ", 199, "Int32") + ", PRIMARY KEY (k)",
                "",
                "NEW_IMAGE");
        scene.table(
                DEEP,
                columns("k", 20, "Utf8") + ", v Utf8, PRIMARY KEY (" + names("k", 20) + ")",
                "",
                "NEW_AND_OLD_IMAGES");
        scene.table(
                STRICT, "k Uint64 NOT NULL, a Utf8 NOT NULL, b Int32 NOT NULL, c Utf8, PRIMARY KEY (k)", "", "UPDATES");
        scene.table(BIG, "k Uint64 NOT NULL, v String, PRIMARY KEY (k)", "", "UPDATES");
        scene.start();

        scene.write("UPSERT INTO `" + KEY_ONLY + "` (`the key`, `select`) VALUES (1, 'a'), (2, NULL), (3, '`');");
        scene.write("DELETE FROM `" + KEY_ONLY + "` WHERE `the key` = 1;");
        scene.write("UPSERT INTO `" + WIDE + "` (k, `sloupec č. 7`, `sloupec č. 198`) VALUES (1, 7, 198), (2, 1, 1);");
        scene.write("UPSERT INTO `" + WIDE + "` (k) VALUES (3);");
        scene.write("UPDATE `" + WIDE + "` SET `sloupec č. 7` = NULL WHERE k = 2;");
        scene.write("UPSERT INTO " + DEEP + " (" + names("k", 20) + ", v) VALUES ("
                + IntStream.range(0, 20).mapToObj(i -> "'" + i + "'").collect(Collectors.joining(", ")) + ", 'x');");
        scene.write("UPSERT INTO " + DEEP + " (" + names("k", 20) + ") VALUES ("
                + IntStream.range(0, 20).mapToObj(i -> "NULL").collect(Collectors.joining(", ")) + ");");
        scene.write("UPSERT INTO strict (k, a, b, c) VALUES (1, 'a', 1, 'c'), (2, 'a', 2, 'c'), (3, 'a', 3, NULL);");
        scene.settle();
        scene.write("UPDATE strict SET c = 'changed' WHERE k = 1;");
        scene.write("UPDATE strict SET b = 22 WHERE k = 2;");
        scene.write("REPLACE INTO strict (k, a, b) VALUES (1, 'again', 11);");
        scene.write("DELETE FROM strict WHERE k = 3;");
        scene.write("UPSERT INTO strict (k, a, b) VALUES (3, 'new', 33);");
        scene.write("UPDATE strict SET a = 'newer' WHERE k = 3;");
        Map<Long, String> bigOnes = writeBigOnes();
        scene.settle();
        assertThat(copiesOfBigOnes()).isEqualTo(bigOnes);
        for (String table : TABLES) {
            String select = "SELECT * FROM `" + table + "`;";
            assertThat(scene.destination.read(select))
                    .as(table)
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(scene.source.read(select));
        }
    }

    /** As long as a value may be; the digest of each by its key. */
    private Map<Long, String> writeBigOnes() {
        Random random = new Random(5);
        Map<Long, String> digests = new TreeMap<>();
        for (long k = 0; k < 4; k++) {
            byte[] value = new byte[VALUE_BYTES_MAX];
            random.nextBytes(value);
            scene.source.write(
                    "DECLARE $v AS String; UPSERT INTO big (k, v) VALUES (" + k + ", $v);",
                    Params.of("$v", PrimitiveValue.newBytes(value)));
            digests.put(k, digest(value));
        }
        return digests;
    }

    /** Not by a query, whose answer would be too long. */
    private Map<Long, String> copiesOfBigOnes() {
        Map<Long, String> digests = new TreeMap<>();
        scene.emulator
                .database(Scene.DESTINATION)
                .rowsBelow(Scene.DESTINATION + "/" + BIG, new VirtualTimestamp(-1, -1))
                .values()
                .forEach(row -> digests.put((Long) row.get(0), digest(((Bytes) row.get(1)).array())));
        return digests;
    }

    private static String digest(byte[] value) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
        } catch (NoSuchAlgorithmException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static String columns(String prefix, int count, String type) {
        return IntStream.range(0, count)
                .mapToObj(i -> "`" + prefix + i + "` " + type)
                .collect(Collectors.joining(", "));
    }

    private static String names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> "`" + prefix + i + "`").collect(Collectors.joining(", "));
    }
}
