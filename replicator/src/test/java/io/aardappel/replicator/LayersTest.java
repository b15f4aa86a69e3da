package io.aardappel.replicator;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.aardappel.replicator.engine.Ticker;
import java.time.Instant;
import java.util.regex.Pattern;

/** Who may import whom. */
@AnalyzeClasses(packages = "io.aardappel.replicator", importOptions = LayersTest.WithoutTests.class)
final class LayersTest {
    /** Wherever the tests were compiled to, by Maven or by another tool. */
    static final class WithoutTests implements ImportOption {
        private static final Pattern TESTS = Pattern.compile(".*/test(-classes)?/.*");

        @Override
        public boolean includes(Location location) {
            return !location.matches(TESTS);
        }
    }

    private static final String OURS = "io.aardappel..";

    @ArchTest
    static final ArchRule CORE_IS_PURE = classes()
            .that()
            .resideInAPackage("..replicator.core..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "..replicator.core..",
                    "java.lang",
                    "java.lang.invoke",
                    "java.lang.runtime",
                    "java.util",
                    "java.util.function",
                    "java.util.stream",
                    "org.jspecify..")
            .because("a seed must replay it: take time, threads and I/O in `engine`, and hand the core values");

    @ArchTest
    static final ArchRule CORE_HAS_NO_CLOCK_AND_NO_THREAD = noClasses()
            .that()
            .resideInAPackage("..replicator.core..")
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class)
            .because("a seed must replay it: the engine's Ticker tells the time");

    @ArchTest
    static final ArchRule ONE_WALL_CLOCK = noClasses()
            .that(not(assignableTo(Ticker.class)))
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .because(
                    "a process whose clock is wrong must be as safe: what a wrong one does is tested through the Ticker");

    @ArchTest
    static final ArchRule CODEC = ours("codec", "core");

    @ArchTest
    static final ArchRule ENGINE = ours("engine", "core");

    @ArchTest
    static final ArchRule YDB = ours("ydb", "core", "codec", "engine", "io.aardappel.access..");

    @ArchTest
    static final ArchRule PROBLEMS = ours("problems", "core", "codec", "engine");

    @ArchTest
    static final ArchRule CONFIG = ours("config", "core", "io.aardappel.access.ydb");

    @ArchTest
    static final ArchRule HTTP = ours("http", "core", "engine", "io.aardappel.program.http");

    @ArchTest
    static final ArchRule ONLY_APP_READS_THE_CONFIGURATION = noClasses()
            .that(not(resideInAnyPackage("..replicator.app..", "..replicator.config..")))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..replicator.config..")
            .because("the rest gets plain values, so that it can be run without a file");

    @ArchTest
    static final ArchRule NOBODY_IMPORTS_APP = noClasses()
            .that(not(resideInAPackage("..replicator.app..")))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..replicator.app..")
            .because("app is where everything is wired; move what is needed elsewhere down");

    @ArchTest
    static final ArchRule THE_EMULATOR_STAYS_OUT = noClasses()
            .that()
            .resideInAPackage("..replicator..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.aardappel.emulator..")
            .because("one mistake shared with the judge would stay hidden");

    private static ArchRule ours(String name, String... others) {
        String[] allowed = new String[others.length + 2];
        allowed[0] = "..replicator." + name + "..";
        allowed[1] = "io.aardappel.contract..";
        for (int i = 0; i < others.length; i++) {
            allowed[i + 2] = others[i].contains(".") ? others[i] : "..replicator." + others[i] + "..";
        }
        return noClasses()
                .that()
                .resideInAPackage("..replicator." + name + "..")
                .should()
                .dependOnClassesThat(resideInAPackage(OURS).and(not(resideInAnyPackage(allowed))))
                .because("`" + name + "` knows only " + String.join(", ", allowed)
                        + "; move the class, or hand it a plain value or a port");
    }
}
