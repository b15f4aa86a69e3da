package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.PrimitiveValue;

@DisplayName("Tables at the edges of what YDB allows are replicated")
class OddShapesTest {
    private static final String KEY_ONLY = "key only";
    private static final String WIDE = "dir.with/wide-Ü馬";
    private static final String DEEP = "deep";
    private static final String STRICT = "strict";
    private static final String BIG = "big";
    private static final List<String> TABLES = List.of(KEY_ONLY, WIDE, DEEP, STRICT, BIG);

    @TempDir
    private Path folder;

    private Scene scene;

    @BeforeEach
    void begin() {
        scene = new Scene(folder);
    }

    @AfterEach
    void end() {
        scene.close();
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
        for (long k = 0; k < 4; k++) {
            scene.source.write(
                    "DECLARE $v AS String; UPSERT INTO big (k, v) VALUES (" + k + ", $v);",
                    Params.of("$v", PrimitiveValue.newBytes(new byte[8 << 20])));
        }
        scene.settle();
        for (String table : TABLES) {
            String select = table.equals(BIG) ? "SELECT k, Len(v) AS v FROM big;" : "SELECT * FROM `" + table + "`;";
            assertThat(scene.destination.read(select))
                    .as(table)
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(scene.source.read(select));
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
