package io.aardappel.replicator.ydb.target;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.codec.KeyFilter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tech.ydb.core.Result;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

@WithYdb
@DisplayName("Blocked keys")
class BlockedKeysTest {
    private static final int PAGE = 2;

    private final Destination destination;

    BlockedKeysTest(YdbEmulator ydb) {
        this.destination = new Destination(ydb);
        destination.createTable("instance_id Utf8, key String, PRIMARY KEY (instance_id, key)");
    }

    @AfterEach
    void close() throws Exception {
        destination.close();
    }

    private BlockedKeys keys(Duration interval) {
        return new BlockedKeys(Optional.of(new BlockedKeys.Source(destination.table, "inst", interval)));
    }

    private Result<ExecuteQueryResult> call(Call call) {
        return destination.tryQuery(call.text(), call.parameters());
    }

    private void block(String instance, String bytes) {
        destination.query(
                "UPSERT INTO $TABLE (instance_id, key) VALUES ($id, $key)",
                Map.of("$id", Params.utf8(instance), "$key", Params.bytes(ByteString.copyFromUtf8(bytes))));
    }

    private static byte[] message(int key) {
        return ("{\"update\":{},\"key\":[" + key + "],\"ts\":[1,2]}").getBytes(UTF_8);
    }

    @Test
    @DisplayName("are none where no table is named, and then no message is looked at")
    void areNoneWithoutATable() {
        assertThat(BlockedKeys.none().of("/dst/t")).isSameAs(KeyFilter.NONE);
    }

    @Test
    @DisplayName("are those of the instance, however many pages they take, and of the table as it is spelled")
    void areThoseOfTheInstance() {
        for (int key = 1; key <= 5; key++) {
            block("inst", "\u0001/dst/t" + key);
        }
        block("other", "\u0001/dst/t6");
        BlockedKeys blocked = keys(Duration.ofHours(1));

        assertThat(blocked.read(this::call, PAGE)).isEmpty();

        assertThat(blocked.size()).isEqualTo(5);
        assertThat(blocked.of("/dst/t").drops(message(5))).isTrue();
        assertThat(blocked.of("/dst/t").drops(message(6))).isFalse();
        assertThat(blocked.of("t").drops(message(5))).isFalse();
    }

    @Test
    @DisplayName("may have a NULL among them, which blocks nothing")
    void mayHaveANull() {
        destination.query("UPSERT INTO $TABLE (instance_id, key) VALUES ('inst', NULL)");
        block("inst", "\u0001t1");
        BlockedKeys blocked = keys(Duration.ofHours(1));

        assertThat(blocked.read(this::call, PAGE)).isEmpty();
        assertThat(blocked.size()).isEqualTo(1);
    }

    @Test
    @DisplayName("are looked at again when they are older than the interval, and count when they are read")
    void areLookedAtAgain() {
        BlockedKeys eager = keys(Duration.ZERO);
        BlockedKeys lazy = keys(Duration.ofHours(1));
        eager.read(this::call, PAGE);
        lazy.read(this::call, PAGE);
        assertThat(eager.haveChanged(this::call, PAGE)).isFalse();
        block("inst", "\u0001t1");

        assertThat(eager.haveChanged(this::call, PAGE)).isTrue();
        assertThat(lazy.haveChanged(this::call, PAGE)).isFalse();

        assertThat(eager.size()).isZero();
        eager.read(this::call, PAGE);
        assertThat(eager.size()).isEqualTo(1);
        assertThat(eager.haveChanged(this::call, PAGE)).isFalse();
    }

    @Test
    @DisplayName("stay what they were when they cannot be read again")
    void stay() {
        block("inst", "\u0001t1");
        BlockedKeys blocked = keys(Duration.ZERO);
        blocked.read(this::call, PAGE);
        destination.scheme("DROP TABLE `" + destination.table + "`");

        assertThat(blocked.haveChanged(this::call, PAGE)).isFalse();

        assertThat(blocked.of("t").drops(message(1))).isTrue();
        assertThat(blocked.read(this::call, PAGE))
                .hasValueSatisfying(why -> assertThat(why).contains(destination.table));
    }
}
