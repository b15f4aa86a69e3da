package io.aardappel.replicator.ydb.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.table.YdbTable.ChangefeedDescription;
import tech.ydb.proto.table.YdbTable.ChangefeedFormat;
import tech.ydb.proto.table.YdbTable.ChangefeedMode;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;

@DisplayName("A changefeed")
class FeedCheckTest {
    private static List<Finding> check(UnaryOperator<ChangefeedDescription.Builder> change) {
        ChangefeedDescription.Builder good = ChangefeedDescription.newBuilder()
                .setName("feed")
                .setMode(ChangefeedMode.Mode.MODE_UPDATES)
                .setFormat(ChangefeedFormat.Format.FORMAT_JSON)
                .setState(ChangefeedDescription.State.STATE_ENABLED)
                .setVirtualTimestamps(true)
                .setResolvedTimestampsInterval(
                        com.google.protobuf.Duration.newBuilder().setSeconds(1));
        DescribeTableResult table = DescribeTableResult.newBuilder()
                .addChangefeeds(change.apply(good))
                .build();
        return new FeedCheck(Duration.ofSeconds(3)).of("/Root/t/feed", "c", table);
    }

    private static void assertOneError(List<Finding> findings, String said) {
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
            assertThat(finding.object()).isEqualTo("/Root/t/feed");
            assertThat(finding.what()).contains(said);
            assertThat(finding.remedy()).isNotBlank();
        });
    }

    @Test
    void thatCarriesAllIsAccepted() {
        assertThat(check(feed -> feed)).isEmpty();
        assertThat(check(feed -> feed.setMode(ChangefeedMode.Mode.MODE_NEW_AND_OLD_IMAGES)))
                .isEmpty();
        assertThat(check(feed -> feed.setState(ChangefeedDescription.State.STATE_INITIAL_SCAN)))
                .isEmpty();
    }

    @Test
    void withoutNewValuesIsRefusedB38() {
        assertOneError(check(feed -> feed.setMode(ChangefeedMode.Mode.MODE_KEYS_ONLY)), "KEYS_ONLY");
        assertOneError(check(feed -> feed.setMode(ChangefeedMode.Mode.MODE_OLD_IMAGE)), "OLD_IMAGE");
    }

    @Test
    void ofAnotherFormatIsRefused() {
        assertOneError(check(feed -> feed.setFormat(ChangefeedFormat.Format.FORMAT_DEBEZIUM_JSON)), "DEBEZIUM_JSON");
    }

    @Test
    void withoutVirtualTimestampsIsRefused() {
        assertOneError(check(feed -> feed.setVirtualTimestamps(false)), "virtual timestamps");
    }

    @Test
    void withoutBarriersIsRefused() {
        assertOneError(check(feed -> feed.clearResolvedTimestampsInterval()), "no resolved timestamps");
    }

    @Test
    void withBarriersThatAreNotWithinTheExpectedIntervalIsWarnedOf() {
        List<Finding> findings = check(feed -> feed.setResolvedTimestampsInterval(
                com.google.protobuf.Duration.newBuilder().setSeconds(3)));

        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
            assertThat(finding.what()).contains("every 3 s");
        });
    }

    @Test
    void thatIsDisabledIsRefused() {
        assertOneError(check(feed -> feed.setState(ChangefeedDescription.State.STATE_DISABLED)), "disabled");
    }

    @Test
    void ofAnotherNameIsMissed() {
        assertOneError(check(feed -> feed.setName("other")), "no changefeed named feed");
    }

    @Test
    void tellsAllItsFaultsAtOnce() {
        assertThat(check(feed -> feed.setMode(ChangefeedMode.Mode.MODE_KEYS_ONLY)
                        .setVirtualTimestamps(false)
                        .clearResolvedTimestampsInterval()))
                .hasSize(3);
    }
}
