package io.aardappel.operator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.aardappel", importOptions = ImportOption.DoNotIncludeTests.class)
class LayersTest {
    @ArchTest
    static final ArchRule PLANS_ARE_PURE = classes()
            .that()
            .resideInAPackage("io.aardappel.operator.plan")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.aardappel.operator.plan",
                    "io.aardappel.crds.api",
                    "io.aardappel.contract",
                    "io.fabric8.kubernetes.api.model",
                    "java.lang..",
                    "java.net",
                    "java.nio.charset",
                    "java.security",
                    "java.time..",
                    "java.util",
                    "java.util.function",
                    "java.util.regex",
                    "java.util.stream",
                    "org.jspecify..")
            .because("every plan can be tried without a cluster: observe in `observe`, act in `act`");

    @ArchTest
    static final ArchRule PLANS_LOOK_AT_NO_CLOCK = noClasses()
            .that()
            .resideInAPackage("io.aardappel.operator.plan")
            .should()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .because("what time it is stands in the observation");

    @ArchTest
    static final ArchRule RESOURCES_TALK_TO_NOBODY = classes()
            .that()
            .resideInAPackage("io.aardappel.operator.resources")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.aardappel.operator.resources",
                    "io.aardappel.operator.plan",
                    "io.aardappel.crds.api",
                    "io.aardappel.contract",
                    "io.fabric8.kubernetes.api..",
                    "com.fasterxml.jackson..",
                    "java..",
                    "org.jspecify..")
            .because("what an object holds follows from the resource alone; `act` takes it to the cluster");

    @ArchTest
    static final ArchRule DATA_FLOWS_ONE_WAY = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.aardappel.operator.observe",
                    "io.aardappel.operator.login",
                    "io.aardappel.operator.act",
                    "io.aardappel.operator.state")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.aardappel.operator.reconcile", "io.javaoperatorsdk..")
            .because("`reconcile` alone speaks with the operator SDK; what it needs of it, it hands over");

    @ArchTest
    static final ArchRule OBSERVERS_CHANGE_NOTHING = noClasses()
            .that()
            .resideInAnyPackage("io.aardappel.operator.observe", "io.aardappel.operator.login")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.aardappel.operator.act", "io.aardappel.operator.state")
            .because("what changes something is an action of a plan");

    @ArchTest
    static final ArchRule ONLY_LOGIN_HOLDS_SECRETS = noClasses()
            .that()
            .resideOutsideOfPackage("io.aardappel.operator.login")
            .and()
            .resideInAPackage("io.aardappel.operator..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.aardappel.access.auth")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(io.fabric8.kubernetes.api.model.Secret.class)
            .because("what is secret must be easy to follow: the rest gets open connections and hashes");

    @ArchTest
    static final ArchRule THE_REPLICATOR_IS_ANOTHER_PROGRAM = noClasses()
            .that()
            .resideInAPackage("io.aardappel.operator..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.aardappel.replicator..")
            .because("`contract` joins them: an operator of one version works with replicators of another");

    @ArchTest
    static final ArchRule ONLY_APP_IS_A_PROGRAM = noClasses()
            .that()
            .resideInAPackage("io.aardappel.operator..")
            .and()
            .resideOutsideOfPackages("io.aardappel.operator.app", "io.aardappel.operator.health")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.aardappel.program..")
            .because("logging, signals and the end are matters of `app`, pages those of `health`");

    @ArchTest
    static final ArchRule NOBODY_IMPORTS_THE_PROGRAM = noClasses()
            .that()
            .resideOutsideOfPackage("io.aardappel.operator.app")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.aardappel.operator.app")
            .because("`app` wires the others; what they need they are given");

    @ArchTest
    static final ArchRule PROBES_AND_METRICS_KNOW_NO_RECONCILER = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.aardappel.operator.health", "io.aardappel.operator.metrics", "io.aardappel.operator.settings")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.aardappel.operator.plan",
                    "io.aardappel.operator.observe",
                    "io.aardappel.operator.act",
                    "io.aardappel.operator.reconcile")
            .because("`app` tells them what they are to tell");
}
