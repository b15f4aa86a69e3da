package io.aardappel.emulator.grpc;

import java.util.Map;
import tech.ydb.proto.table.YdbTable.CachingPolicyDescription;
import tech.ydb.proto.table.YdbTable.CompactionPolicyDescription;
import tech.ydb.proto.table.YdbTable.DescribeTableOptionsResult;
import tech.ydb.proto.table.YdbTable.ExecutionPolicyDescription;
import tech.ydb.proto.table.YdbTable.PartitioningPolicyDescription;
import tech.ydb.proto.table.YdbTable.ReplicationPolicyDescription;
import tech.ydb.proto.table.YdbTable.StoragePolicyDescription;
import tech.ydb.proto.table.YdbTable.TableProfileDescription;

/** The presets that a server lists; naming one in CREATE TABLE has no effect here. */
final class TableOptions {
    private static final String DEFAULT = "default";

    static final DescribeTableOptionsResult RESULT = DescribeTableOptionsResult.newBuilder()
            .addTableProfilePresets(TableProfileDescription.newBuilder()
                    .setName(DEFAULT)
                    .setDefaultStoragePolicy(DEFAULT)
                    .addAllowedStoragePolicies(DEFAULT)
                    .setDefaultCompactionPolicy(DEFAULT)
                    .addAllowedCompactionPolicies(DEFAULT)
                    .setDefaultPartitioningPolicy(DEFAULT)
                    .addAllowedPartitioningPolicies(DEFAULT)
                    .setDefaultExecutionPolicy(DEFAULT)
                    .addAllowedExecutionPolicies(DEFAULT)
                    .setDefaultReplicationPolicy(DEFAULT)
                    .addAllowedReplicationPolicies(DEFAULT)
                    .setDefaultCachingPolicy(DEFAULT)
                    .addAllowedCachingPolicies(DEFAULT))
            .addStoragePolicyPresets(storage(DEFAULT, "none"))
            .addStoragePolicyPresets(storage("log_lz4", "lz4"))
            .addCompactionPolicyPresets(CompactionPolicyDescription.newBuilder().setName(DEFAULT))
            .addPartitioningPolicyPresets(PartitioningPolicyDescription.newBuilder()
                    .setName(DEFAULT)
                    .putLabels("auto_split", "disabled")
                    .putLabels("auto_merge", "disabled"))
            .addExecutionPolicyPresets(
                    ExecutionPolicyDescription.newBuilder().setName(DEFAULT).putLabels("out_of_order", "disabled"))
            .addReplicationPolicyPresets(
                    ReplicationPolicyDescription.newBuilder().setName(DEFAULT).putLabels("per_zone", "disabled"))
            .addCachingPolicyPresets(CachingPolicyDescription.newBuilder().setName(DEFAULT))
            .build();

    private TableOptions() {}

    private static StoragePolicyDescription.Builder storage(String name, String codec) {
        return StoragePolicyDescription.newBuilder()
                .setName(name)
                .putAllLabels(
                        Map.of("data", "hdd", "syslog", "hdd", "log", "hdd", "in_memory", "false", "codec", codec));
    }
}
