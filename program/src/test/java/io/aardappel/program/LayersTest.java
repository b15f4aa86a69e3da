package io.aardappel.program;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.aardappel.program", importOptions = ImportOption.DoNotIncludeTests.class)
class LayersTest {
    @ArchTest
    static final ArchRule PROGRAM_KNOWS_NONE_OF_THEM = noClasses()
            .that()
            .resideInAPackage("io.aardappel.program..")
            .should()
            .dependOnClassesThat(DescribedPredicate.and(
                    JavaClass.Predicates.resideInAPackage("io.aardappel.."),
                    DescribedPredicate.not(JavaClass.Predicates.resideInAPackage("io.aardappel.program.."))))
            .because("every program uses it: they hand it plain values");

    @ArchTest
    static final ArchRule PARTS_STAND_ALONE = noClasses()
            .that()
            .resideInAPackage("io.aardappel.program.http")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.aardappel.program.logging", "io.aardappel.program.stop")
            .because("a part of a program that serves pages decides neither its log nor its end");
}
