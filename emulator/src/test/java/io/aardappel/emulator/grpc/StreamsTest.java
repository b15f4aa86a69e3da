package io.aardappel.emulator.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.model.fault.Fault;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Open streams")
class StreamsTest {
    private final Streams streams = new Streams();
    private final Faults faults = new Faults(7, () -> 0);
    private final List<String> cut = new ArrayList<>();

    private void open(String path, Operation operation) {
        Streams.Open unused = streams.register(path, operation, () -> cut.add(path));
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            streams.cutByFault(faults);
        }
    }

    @Test
    @DisplayName("are counted once by a rule that is for them, however often they are looked at")
    void areCountedOnce() {
        open("/local/t", Operation.TOPIC_READ);
        open("/local/u", Operation.TOPIC_READ);
        open("/local/w", Operation.TOPIC_WRITE);
        faults.add(FaultRule.of(Fault.STREAM_CUT).during(Operation.TOPIC_READ).after(1));
        look(5);
        open("/local/v", Operation.TOPIC_READ);
        look(5);

        assertThat(cut).hasSize(2).contains("/local/v");
        assertThat(faults.active()).singleElement().satisfies(rule -> {
            assertThat(rule.matched()).isEqualTo(3);
            assertThat(rule.fired()).isEqualTo(2);
        });
        assertThat(streams.count()).isEqualTo(2);
    }
}
