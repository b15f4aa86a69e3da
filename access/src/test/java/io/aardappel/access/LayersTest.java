package io.aardappel.access;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;

@AnalyzeClasses(packages = "io.aardappel", importOptions = ImportOption.DoNotIncludeTests.class)
class LayersTest {
    @ArchTest
    static final ArchRule ACCESS_KNOWS_NO_PROGRAM = noClasses()
            .that()
            .resideInAPackage("io.aardappel.access..")
            .should()
            .dependOnClassesThat(DescribedPredicate.and(
                    JavaClass.Predicates.resideInAPackage("io.aardappel.."),
                    DescribedPredicate.not(JavaClass.Predicates.resideInAPackage("io.aardappel.access.."))))
            .because("programs with other configurations use it: they hand it plain values");

    @ArchTest
    static final ArchRule TICKETS_KNOW_NO_CONNECTION = noClasses()
            .that()
            .resideInAPackage("io.aardappel.access.auth")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.aardappel.access.ydb")
            .because("connections carry tickets; what needs a connection to get one is an Issuer of `ydb`");

    @ArchTest
    static final ArchRule TIME_COMES_FROM_OUTSIDE = noClasses()
            .that()
            .resideInAPackage("io.aardappel.access..")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .because("what a wrong clock does is tested through the InstantSource that is handed over");
}
