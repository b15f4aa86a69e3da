package io.aardappel.crds;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.aardappel.crds", importOptions = ImportOption.DoNotIncludeTests.class)
class LayersTest {
    @ArchTest
    static final ArchRule THE_API_IS_A_MODEL = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.aardappel.crds.api..",
                    "java.lang..",
                    "java.util..",
                    "org.jspecify..",
                    "com.fasterxml.jackson.annotation..",
                    "io.fabric8.generator.annotation..",
                    "io.fabric8.crd.generator.annotation..",
                    "io.fabric8.kubernetes.model.annotation..",
                    "io.fabric8.kubernetes.api.model..",
                    "io.fabric8.kubernetes.client")
            .because("programs of others use it to write resources: it says what there is, and does nothing");
}
