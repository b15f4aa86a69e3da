package io.aardappel.emulator.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.aardappel.emulator.YdbEmulator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

@DisplayName("@WithYdb")
class WithYdbTest {
    @Nested
    @WithYdb
    @DisplayName("on a class")
    class OnAClass {
        @Test
        void startsAnEmulatorThatListens(YdbEmulator ydb) {
            assertThat(ydb.port()).isPositive();
        }

        @Test
        void handsOutTheConnectionString(YdbEmulator ydb, @YdbConnectionString String connectionString) {
            assertThat(connectionString).isEqualTo("grpc://localhost:" + ydb.port() + "/?database=/local");
        }
    }

    @Nested
    @WithYdb(databases = {"/source", "/target"})
    @DisplayName("with two databases")
    class WithTwoDatabases {
        @Test
        void handsOutTheOneThatIsAskedFor(@YdbConnectionString("/target") String connectionString) {
            assertThat(connectionString).endsWith("/?database=/target");
        }
    }

    @Test
    void sharesOneEmulatorInAClass() {
        Shared.SEEN.clear();
        run(Shared.class);
        assertThat(Shared.SEEN).hasSize(1);
    }

    @Test
    void givesEachTestItsOwnWhenAskedTo() {
        Separate.SEEN.clear();
        run(Separate.class);
        assertThat(Separate.SEEN).hasSize(2);
    }

    private static void run(Class<?> testClass) {
        EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                .selectors(selectClass(testClass))
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(2));
    }

    @WithYdb
    static class Shared {
        static final Set<Integer> SEEN = new LinkedHashSet<>();

        @Test
        void one(YdbEmulator ydb) {
            SEEN.add(System.identityHashCode(ydb));
        }

        @Nested
        class Inner {
            @Test
            void two(YdbEmulator ydb) {
                SEEN.add(System.identityHashCode(ydb));
            }
        }
    }

    @WithYdb(lifetime = WithYdb.Lifetime.TEST)
    static class Separate {
        static final Set<Integer> SEEN = new LinkedHashSet<>();

        @Test
        void one(YdbEmulator ydb) {
            SEEN.add(System.identityHashCode(ydb));
        }

        @Test
        void two(YdbEmulator ydb) {
            SEEN.add(System.identityHashCode(ydb));
        }
    }
}
