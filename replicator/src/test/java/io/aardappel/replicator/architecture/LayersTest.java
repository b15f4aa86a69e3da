package io.aardappel.replicator.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The replicator's layers")
@AnalyzeClasses(packages = "io.aardappel.replicator", importOptions = LayersTest.WithoutTests.class)
class LayersTest {
    /** Wherever the tests were compiled to, by Maven or by an editor. */
    static final class WithoutTests implements ImportOption {
        private static final Pattern TESTS = Pattern.compile(".*/test(-classes)?/.*");

        @Override
        public boolean includes(Location location) {
            return !location.matches(TESTS);
        }
    }

    private static final String JSPECIFY = "org.jspecify..";
    private static final String SLF4J = "org.slf4j..";
    private static final String CORE = "..replicator.core..";
    private static final String CODEC = "..replicator.codec..";
    private static final String ENGINE = "..replicator.engine..";
    private static final String CONTRACT = "io.aardappel.contract..";
    private static final String SDK = "tech.ydb..";
    private static final String PROTOBUF = "com.google.protobuf..";
    private static final String JACKSON = "com.fasterxml.jackson..";

    @ArchTest
    static final ArchRule CORE_IS_PURE = classes()
            .that()
            .resideInAPackage(CORE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(CORE, "java.lang..", "java.util", "java.util.function", "java.util.stream", JSPECIFY)
            .because("a seed must replay it: take time, threads and I/O in `engine`, and hand the core values");

    @ArchTest
    static final ArchRule CORE_KNOWS_NO_CLOCK_AND_NO_THREAD = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class)
            .because("java.lang lets them in: pass times as values from `engine`");

    @ArchTest
    static final ArchRule CODEC_KNOWS_NO_CONNECTION = classes()
            .that()
            .resideInAPackage(CODEC)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(CODEC, CORE, "java..", JSPECIFY, SLF4J, JACKSON, PROTOBUF, SDK)
            .because("records and cells know nothing of connections: put calls into `ydb`");

    @ArchTest
    static final ArchRule ENGINE_OWNS_ITS_PORTS = classes()
            .that()
            .resideInAPackage(ENGINE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(ENGINE, CORE, "java..", JSPECIFY, SLF4J)
            .because("the loop must run in a test with virtual time: reach the world through a port");

    @ArchTest
    static final ArchRule YDB_CARRIES_OUT = classes()
            .that()
            .resideInAPackage("..replicator.ydb..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "..replicator.ydb..",
                    CORE,
                    CODEC,
                    ENGINE,
                    CONTRACT,
                    "java..",
                    JSPECIFY,
                    SLF4J,
                    PROTOBUF,
                    SDK,
                    "io.grpc..")
            .because("the ports decide nothing and read no configuration: give them plain values from `app`");

    @ArchTest
    static final ArchRule CONFIG_IS_READ_BY_APP_ONLY = classes()
            .that()
            .resideInAPackage("..replicator.config..")
            .should()
            .onlyHaveDependentClassesThat()
            .resideInAnyPackage("..replicator.config..", "..replicator.app..", "..replicator.docs..")
            .because("the rest gets plain values");

    @ArchTest
    static final ArchRule HTTP_READS_A_SNAPSHOT = noClasses()
            .that()
            .resideInAPackage("..replicator.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..replicator.ydb..", CODEC, "..replicator.config..", "..replicator.app..", SDK)
            .because("pages and metrics come out of EngineStatus alone");

    @ArchTest
    static final ArchRule NOBODY_IMPORTS_APP = classes()
            .that()
            .resideInAPackage("..replicator.app..")
            .should()
            .onlyHaveDependentClassesThat()
            .resideInAPackage("..replicator.app..")
            .because("the wiring is the outermost layer");
}
