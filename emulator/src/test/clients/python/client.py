#!/usr/bin/env python3
"""What the Python SDK sees of a YDB: sessions, types, conflicts, topics.

usage: client.py --endpoint grpc://127.0.0.1:2136 --database /local --control http://127.0.0.1:8765

Prints one line a check and closes with "N passed, N failed". Exit status 1 when a check failed.
"""
import argparse
import datetime
import decimal
import json
import sys
import threading
import urllib.request
import uuid

import ydb

P = ydb.PrimitiveType
DECIMAL = ydb.DecimalType(22, 9)

# a type and a value of it
TYPES = [
    (P.Bool, True),
    (P.Int8, -128),
    (P.Int16, -32768),
    (P.Int32, -(2**31)),
    (P.Int64, -(2**63)),
    (P.Uint8, 255),
    (P.Uint16, 65535),
    (P.Uint32, 2**32 - 1),
    (P.Uint64, 2**64 - 1),
    (P.Float, 0.5),
    (P.Double, -1.7976931348623157e308),
    (P.Date, datetime.date(2024, 2, 29)),
    (P.Datetime, datetime.datetime(2024, 2, 29, 12, 30, 59)),
    (P.Timestamp, datetime.datetime(2024, 2, 29, 12, 30, 59, 123456)),
    (P.Interval, datetime.timedelta(days=-3, microseconds=7)),
    (P.Date32, datetime.date(1900, 1, 1)),
    (P.Datetime64, datetime.datetime(1900, 1, 1, 1, 1, 1)),
    (P.Timestamp64, datetime.datetime(1900, 1, 1, 1, 1, 1, 1)),
    (P.Interval64, datetime.timedelta(days=40000)),
    (P.String, b"\x00\xff bytes"),
    (P.Utf8, "žluťoučký \U0001f954"),
    (P.Json, '{"a": [1, 9223372036854775807]}'),
    (P.JsonDocument, '{"a":[1,2]}'),
    (P.Yson, b"{a=1}"),
    (P.UUID, uuid.UUID("01234567-89ab-cdef-0123-456789abcdef")),
    (P.DyNumber, "12.5"),
    (DECIMAL, decimal.Decimal("-1234567890123.123456789")),
]
TYPES_BACK = {"DyNumber": ".125e2"}


class Client:
    def __init__(self, arguments):
        self.database = arguments.database
        self.control = arguments.control
        self.driver = ydb.Driver(endpoint=arguments.endpoint, database=arguments.database)
        self.driver.wait(timeout=60, fail_fast=True)
        self.pool = ydb.QuerySessionPool(self.driver)
        self.run_id = uuid.uuid4().hex[:8]

    def name(self, what):
        return f"python_{what}_{self.run_id}"

    def order(self, path, body):
        request = urllib.request.Request(
            self.control + path,
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
            method="POST",
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def topic(self, what, partitions):
        path = f"{self.database}/{self.name(what)}"
        self.driver.topic_client.create_topic(path, min_active_partitions=partitions, consumers=["c"])
        return path

    def write(self, path, partition, texts):
        with self.driver.topic_client.writer(path, partition_id=partition) as writer:
            for text in texts:
                writer.write(ydb.TopicWriterMessage(text))

    # the checks: each method of which the name begins with check_

    def check_query_sessions_are_made_used_and_given_back(self):
        for _ in range(3):
            with self.pool.checkout() as session:
                with session.transaction() as tx:
                    with tx.execute("SELECT 1 + 1 AS two;", commit_tx=True) as results:
                        (result,) = list(results)
                        assert result.rows[0]["two"] == 2, result.rows

    def check_table_sessions_live_and_end(self):
        session = self.driver.table_client.session().create()
        assert session.session_id
        session.keep_alive()
        assert session.transaction().execute("SELECT 7 AS seven;", commit_tx=True)[0].rows[0]["seven"] == 7
        session.delete()

    def check_every_type_comes_back_as_it_went(self):
        table = self.name("types")
        columns = ", ".join(f"c{i} {kind}" for i, (kind, _) in enumerate(self.yql_types()))
        self.pool.execute_with_retries(f"CREATE TABLE `{table}` (id Uint64 NOT NULL, {columns}, PRIMARY KEY (id));")
        names = [f"c{i}" for i in range(len(TYPES))]
        parameters = {f"$c{i}": ydb.TypedValue(value, kind) for i, (kind, value) in enumerate(TYPES)}
        self.pool.execute_with_retries(
            f"UPSERT INTO `{table}` (id, {', '.join(names)}) VALUES (1u, {', '.join('$' + n for n in names)});",
            parameters,
        )
        self.pool.execute_with_retries(f"UPSERT INTO `{table}` (id) VALUES (2u);")
        (result,) = self.pool.execute_with_retries(f"SELECT * FROM `{table}` ORDER BY id;")
        full, empty = result.rows
        for i, (kind, yql) in enumerate(self.yql_types()):
            wanted = TYPES_BACK.get(kind, yql)
            back = full[f"c{i}"]
            if kind in ("Json", "JsonDocument"):
                back, wanted = json.loads(back) if isinstance(back, str) else back, json.loads(wanted)
            if isinstance(back, str) and isinstance(wanted, bytes):
                back = back.encode()
            assert back == wanted, f"{kind}: {back!r} is not {wanted!r}"
            assert empty[f"c{i}"] is None, f"{kind}: null came back as {empty[f'c{i}']!r}"

    @staticmethod
    def yql_types():
        return [(str(kind) if kind is DECIMAL else kind.name.replace("UUID", "Uuid"), value) for kind, value in TYPES]

    def check_a_conflict_is_aborted_and_the_retry_succeeds(self):
        table = self.name("conflict")
        self.pool.execute_with_retries(f"CREATE TABLE `{table}` (id Uint64 NOT NULL, v Int64, PRIMARY KEY (id));")
        self.pool.execute_with_retries(f"UPSERT INTO `{table}` (id, v) VALUES (1u, 0);")
        read = f"SELECT v FROM `{table}` WHERE id = 1u;"
        with self.pool.checkout() as one, self.pool.checkout() as other:
            first = one.transaction().begin()
            list(first.execute(read))
            list(other.transaction().execute(f"UPSERT INTO `{table}` (id, v) VALUES (1u, 5);", commit_tx=True))
            try:
                list(first.execute(f"UPSERT INTO `{table}` (id, v) VALUES (1u, 1);", commit_tx=True))
                raise AssertionError("the conflicting commit succeeded")
            except ydb.Aborted as error:
                assert "locks invalidated" in str(error), error

        def increment(tx):
            with tx.execute(read) as results:
                value = list(results)[0].rows[0]["v"]
            with tx.execute(f"UPSERT INTO `{table}` (id, v) VALUES (1u, {value + 1});", commit_tx=True):
                pass

        threads = [threading.Thread(target=lambda: self.pool.retry_tx_sync(increment)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        (result,) = self.pool.execute_with_retries(read)
        assert result.rows[0]["v"] == 9, result.rows

    def check_a_duplicate_insert_is_refused(self):
        table = self.name("duplicate")
        self.pool.execute_with_retries(f"CREATE TABLE `{table}` (id Uint64 NOT NULL, PRIMARY KEY (id));")
        self.pool.execute_with_retries(f"INSERT INTO `{table}` (id) VALUES (1u);")
        try:
            self.pool.execute_with_retries(f"INSERT INTO `{table}` (id) VALUES (1u);")
            raise AssertionError("the second INSERT succeeded")
        except ydb.PreconditionFailed as error:
            assert "Conflict with existing key" in str(error), error

    def check_two_readers_share_partitions_and_commit(self):
        path = self.topic("shared", 4)
        for partition in range(4):
            self.write(path, partition, [f"{partition}-{i}" for i in range(20)])
        seen = []
        shares = [set(), set()]
        lock = threading.Lock()
        ready = threading.Barrier(2)

        def read(mine):
            with self.driver.topic_client.reader(path, consumer="c") as reader:
                reader.async_wait_message().result(10)
                ready.wait(20)
                while True:
                    try:
                        batch = reader.receive_batch(timeout=2)
                    except TimeoutError:
                        return
                    with lock:
                        for message in batch.messages:
                            seen.append(message.data.decode())
                            shares[mine].add(message.partition_id)
                    reader.commit_with_ack(batch, timeout=10)

        threads = [threading.Thread(target=read, args=(i,)) for i in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        wanted = {f"{p}-{i}" for p in range(4) for i in range(20)}
        assert set(seen) == wanted, f"{len(set(seen))} of {len(wanted)} messages"
        assert shares[0] and shares[1], f"one reader had everything: {shares}"
        # committed: a new reader of the consumer gets nothing
        with self.driver.topic_client.reader(path, consumer="c") as reader:
            try:
                left = reader.receive_batch(timeout=1)
                raise AssertionError(f"read again after commit: {[m.data for m in left.messages]}")
            except TimeoutError:
                pass

    def check_a_cut_stream_is_resumed(self):
        path = self.topic("cut", 1)
        self.write(path, 0, ["a", "b"])
        with self.driver.topic_client.reader(path, consumer="c") as reader:
            first = reader.receive_message(timeout=10)
            reader.commit_with_ack(first, timeout=10)
            self.order("/faults", {"fault": "stream-cut", "path": path, "count": 1})
            self.write(path, 0, ["c"])
            rest = []
            while "c" not in rest:
                message = reader.receive_message(timeout=20)
                rest.append(message.data.decode())
            assert sorted(set(rest)) == ["b", "c"], rest

    def check_a_split_partition_is_read_on(self):
        path = self.topic("split", 1)
        self.write(path, 0, ["before"])
        with self.driver.topic_client.reader(path, consumer="c") as reader:
            message = reader.receive_message(timeout=10)
            reader.commit_with_ack(message, timeout=10)
            children = self.order("/partitions/split", {"path": path, "partition": 0})["children"]
            for child in children:
                self.write(path, child, [f"child-{child}"])
            got = set()
            while len(got) < len(children):
                message = reader.receive_message(timeout=20)
                got.add(message.data.decode())
                reader.commit_with_ack(message, timeout=10)
            assert got == {f"child-{child}" for child in children}, got

    def check_a_changefeed_is_a_topic(self):
        table = self.name("feed")
        self.pool.execute_with_retries(f"CREATE TABLE `{table}` (id Uint64 NOT NULL, v Utf8, PRIMARY KEY (id));")
        self.pool.execute_with_retries(f"ALTER TABLE `{table}` ADD CHANGEFEED f WITH (MODE = 'UPDATES', FORMAT = 'JSON');")
        self.pool.execute_with_retries(f"ALTER TOPIC `{table}/f` ADD CONSUMER c;")
        self.pool.execute_with_retries(f"UPSERT INTO `{table}` (id, v) VALUES (1u, 'x');")
        with self.driver.topic_client.reader(f"{table}/f", consumer="c") as reader:
            record = json.loads(reader.receive_message(timeout=10).data)
        assert record == {"update": {"v": "x"}, "key": [1]}, record


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--endpoint", required=True)
    parser.add_argument("--database", required=True)
    parser.add_argument("--control", required=True)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    client = Client(arguments)
    passed = failed = 0
    for name in [n for n in dir(client) if n.startswith("check_") and arguments.only in n]:
        try:
            getattr(client, name)()
            passed += 1
            print(f"ok      {name[6:].replace('_', ' ')}", flush=True)
        except Exception as problem:  # a check may fail in any way; the verdict must still come
            failed += 1
            print(f"FAILED  {name[6:].replace('_', ' ')}: {type(problem).__name__} {problem}", flush=True)
    client.pool.stop()
    client.driver.stop()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
