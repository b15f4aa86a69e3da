package io.aardappel.emulator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.regex.Pattern;

/** Who may import whom. */
@AnalyzeClasses(packages = "io.aardappel.emulator", importOptions = LayersTest.WithoutTests.class)
final class LayersTest {
    /** Wherever the tests were compiled to, by Maven or by another tool. */
    static final class WithoutTests implements ImportOption {
        private static final Pattern TESTS = Pattern.compile(".*/test(-classes)?/.*");

        @Override
        public boolean includes(Location location) {
            return !location.matches(TESTS);
        }
    }

    @ArchTest
    static final ArchRule MODEL_STANDS_ALONE = classes()
            .that()
            .resideInAPackage("..emulator.model..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("..emulator.model..", "java..", "org.jspecify..")
            .because(
                    "tables, topics and time must work without a server: take what they need as an interface of theirs");

    @ArchTest
    static final ArchRule MODEL_HAS_NO_CLOCK_AND_NO_THREAD = noClasses()
            .that()
            .resideInAnyPackage("..emulator.model..", "..emulator.changefeed..")
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class)
            .because("a test must move the time by hand: take it as a parameter or a LongSupplier");

    @ArchTest
    static final ArchRule CHANGEFEEDS_KNOW_THE_MODEL_ONLY = classes()
            .that()
            .resideInAPackage("..emulator.changefeed..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("..emulator.changefeed..", "..emulator.model..", "java..", "org.jspecify..")
            .because(
                    "records are written by hand, as the database writes them: no library's idea of JSON stands between");

    @ArchTest
    static final ArchRule NOTHING_BELOW_KNOWS_THE_SERVER = noClasses()
            .that()
            .resideInAnyPackage(
                    "..emulator.model..", "..emulator.changefeed..", "..emulator.query..", "..emulator.faults..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..emulator.grpc..", "..emulator.control..", "..emulator.app..")
            .because("the server calls them, never the other way: define an interface below and implement it above");

    @ArchTest
    static final ArchRule NOTHING_KNOWS_THE_REPLICATOR = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.aardappel.replicator..", "io.aardappel.contract..")
            .because("one mistake in both would hide itself");
}
