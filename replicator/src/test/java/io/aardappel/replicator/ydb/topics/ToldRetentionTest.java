package io.aardappel.replicator.ydb.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TopicSpec;
import io.aardappel.replicator.engine.SourceEvent;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The description of a topic tells")
@WithYdb(lifetime = WithYdb.Lifetime.TEST)
@Timeout(60)
class ToldRetentionTest {
    private static final long HOUR = 3_600_000;

    private ReaderRig rig;

    @BeforeEach
    void openRig(YdbEmulator ydb) {
        rig = new ReaderRig(ydb);
    }

    @AfterEach
    void closeRig() {
        rig.close();
    }

    private SourceEvent.Retention retention() {
        rig.start().source.describe(0);
        rig.until("the description", () -> !rig.described.isEmpty());
        return rig.described.get(0).retention();
    }

    @Test
    void howLongItKeepsMessagesAndHowOldTheFirstUncommittedOneIs() {
        Topic topic = rig.topic("feed", 1);
        long now = System.currentTimeMillis();
        for (int key = 0; key < 3; key++) {
            ReaderRig.writeAt(topic, key, now - 600_000 + 60_000 * key);
        }
        topic.setCommitted(ReaderRig.CONSUMER, 0, 1);

        SourceEvent.Retention retention = retention();

        assertThat(retention.period()).isEqualTo(HOUR);
        assertThat(retention.uncommittedSince().get(0L)).isCloseTo(now - 540_000, Offset.offset(10_000L));
    }

    @Test
    void nothingOfAgesWhereAllIsCommitted() {
        Topic topic = rig.topic("feed", 1);
        ReaderRig.write(topic, 0, 0, 3);
        topic.setCommitted(ReaderRig.CONSUMER, 0, 3);

        assertThat(retention().uncommittedSince()).isEmpty();
    }

    @Test
    void thatItForgetsNothingOfAConsumerThatIsImportant() {
        rig.topic("feed", 1, new TopicSpec.ConsumerSpec(ReaderRig.CONSUMER, true, null, List.of(), Map.of()));

        assertThat(retention().period()).isZero();
    }
}
