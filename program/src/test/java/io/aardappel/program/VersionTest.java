package io.aardappel.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

@DisplayName("The version of a program")
class VersionTest {
    @Test
    void isThatOfThePackageOfItsClass() {
        assertThat(Version.of(Logger.class)).matches("[0-9.]+");
    }

    @Test
    void isUnpackagedOutOfClasses() {
        assertThat(Version.of(VersionTest.class)).isEqualTo("unpackaged");
    }
}
