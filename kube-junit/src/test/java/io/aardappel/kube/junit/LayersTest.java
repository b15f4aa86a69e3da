package io.aardappel.kube.junit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.aardappel.kube", importOptions = ImportOption.DoNotIncludeTests.class)
class LayersTest {
    @ArchTest
    static final ArchRule IT_KNOWS_NO_RESOURCE_OF_OURS = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.aardappel.kube.junit",
                    "io.aardappel.emulator",
                    "io.fabric8.kubernetes..",
                    "java..",
                    "org.awaitility..",
                    "org.bouncycastle..",
                    "org.jspecify..",
                    "org.junit.jupiter.api..")
            .because("every module with resources tests by it: it gives an API server and leaves it empty");
}
