package io.aardappel.replicator.ydb.topics;

import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.StatusText;
import io.aardappel.replicator.codec.DestinationShapes;
import io.aardappel.replicator.codec.KeyFilter;
import io.aardappel.replicator.codec.SourceFeed;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.ChangeSource;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.engine.SourceEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;

/**
 * The engine's source over YDB topics. The credit of the protocol is one for a whole stream, so partitions have streams of
 * their own, and only when there are very many do the later ones share; a partition that must wait then gets its own.
 *
 * <p>One thread, the loop, owns all streams; connecting and describing block on threads beside it; decoding and the events
 * of a partition run one after the other on threads of a pool. Commands only leave a task for the loop.
 */
public final class TopicSource implements ChangeSource {
    private static final Logger LOG = LoggerFactory.getLogger(TopicSource.class);
    private static final Duration WATCH_INTERVAL = Duration.ofMillis(250);

    /** How long partitions that will share a stream are gathered. */
    private static final Duration GATHERING = Duration.ofMillis(5);

    private static final int IO_THREADS = 8;

    private final SchemaPatience patience;
    private final Function<StreamSpec, SourceFeed> feeds;
    private final Function<StreamSpec, KeyFilter> filters;
    private final ReaderSettings settings;
    private final RandomGenerator random;
    private final String database;
    private final TopicDescriber describer;
    private final ScheduledThreadPoolExecutor loop;
    private final ExecutorService io;
    private final ExecutorService decoders;
    private final ReadCalls calls;
    private final AtomicLong sessions = new AtomicLong();
    private final ReaderCounters counters = new ReaderCounters();

    // all below belongs to the loop's thread
    private final CreditLedger ledger = new CreditLedger();
    private final Map<PartitionId, WantedPartition> wanted = new LinkedHashMap<>();
    private final Kinship kinship = new Kinship();
    private final Set<StreamLink> links = new LinkedHashSet<>();
    private final Set<StreamLink> dirty = new LinkedHashSet<>();
    private final Map<Integer, Long> noticedAt = new HashMap<>();
    private final List<WantedPartition> gathering = new ArrayList<>();
    private List<StreamSpec> streams = List.of();
    private Consumer<Event> inbox = event -> {};
    private int term;

    /**
     * Threads start at once, reading only with {@link #start}.
     *
     * @param transport of the source database; stays the caller's to close, after this
     * @param shapes of the destination tables
     * @param feeds what is known of each stream's feed
     * @param filters which rows of each stream are left out
     * @param random spreads reconnects; used on one thread
     */
    public TopicSource(
            GrpcTransport transport,
            DestinationShapes shapes,
            Function<StreamSpec, SourceFeed> feeds,
            Function<StreamSpec, KeyFilter> filters,
            ReaderSettings settings,
            RandomGenerator random) {
        this.patience = new SchemaPatience(shapes, settings.schemaWait(), settings.schemaPause(), System::nanoTime);
        this.feeds = feeds;
        this.filters = filters;
        this.settings = settings;
        this.random = random;
        this.database = transport.getDatabase();
        this.describer = new TopicDescriber(new Calls(transport), settings.answerTimeout());
        this.loop = new ScheduledThreadPoolExecutor(1, threads("topics-loop"), new ThreadPoolExecutor.DiscardPolicy());
        loop.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.io = Executors.newFixedThreadPool(IO_THREADS, threads("topics-connect"));
        this.decoders = Executors.newFixedThreadPool(settings.decodeThreads(), threads("topics-decode"));
        this.calls = new ReadCalls(transport, io, this::onLoop);
        repeat(WATCH_INTERVAL, () -> links.forEach(StreamLink::watch));
        repeat(settings.tokenCheckInterval(), () -> links.forEach(StreamLink::checkToken));
    }

    private static ThreadFactory threads(String name) {
        AtomicLong number = new AtomicLong();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((in, fault) -> LOG.error("Thread {} failed", in.getName(), fault));
            return thread;
        };
    }

    public ReaderCounters.Counts counts() {
        return counters.counts();
    }

    @Override
    public void start(List<StreamSpec> configured, Consumer<Event> events) {
        List<StreamSpec> copy = List.copyOf(configured);
        onLoop(() -> {
            end("a new term begins");
            streams = copy;
            inbox = events;
        });
    }

    @Override
    public void describe(int stream) {
        onLoop(() -> new Description(stream, term).ask());
    }

    @Override
    public void open(PartitionId partition) {
        onLoop(() -> {
            if (!wanted.containsKey(partition)) {
                WantedPartition opened = want(partition);
                wanted.put(partition, opened);
                place(opened);
            }
        });
    }

    private WantedPartition want(PartitionId partition) {
        StreamSpec spec = streams.get(partition.stream());
        return new WantedPartition(
                partition,
                new PatientLane(new SerialLane(decoders), retry -> onceLookedAgain(spec.table(), retry)),
                new PartitionDecoder(spec.table(), feeds.apply(spec), patience, filters.apply(spec)),
                inbox,
                new LoopLedger(),
                counters);
    }

    /** Not on a thread that decodes: the destination may take its time, and other partitions must not wait for it. */
    private void onceLookedAgain(String table, Runnable task) {
        later(
                settings.schemaPause(),
                () -> io.execute(() -> {
                    patience.lookWithOthers(table);
                    task.run();
                }));
    }

    private void place(WantedPartition partition) {
        if (kinship.hasParents(partition.id, wanted.keySet())) {
            placeWithKin(partition);
            return;
        }
        if (links.size() < settings.streamsMax() / 2) {
            alone(partition).begin();
            return;
        }
        if (gathering.isEmpty()) {
            later(GATHERING, this::placeGathered);
        }
        gathering.add(partition);
    }

    private void placeWithKin(WantedPartition partition) {
        List<WantedPartition> kin = kinship.kin(partition.id, wanted.keySet()).stream()
                .map(wanted::get)
                .toList();
        StreamLink home = kin.stream()
                .map(member -> member.link)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> newLink(partition.id.stream()));
        String why = "partition " + partition.id.partition() + " must be read together with its parents";
        for (WantedPartition member : kin) {
            StreamLink former = member.link;
            if (former == home) {
                continue;
            }
            if (former != null && former.isSolo()) {
                close(former, why);
                former.remove(member);
            } else if (former != null) {
                former.restartWithout(member, why);
            }
            home.add(member);
        }
        grantOrPark(home);
        home.reopen(why);
    }

    private void close(StreamLink link, String why) {
        link.close(why);
        links.remove(link);
    }

    /** A shared stream is parked when all its partitions are: a parent may have to be read again, its children waiting. */
    private void grantOrPark(StreamLink link) {
        if (link.members().stream().allMatch(member -> member.parked)) {
            link.park();
        } else {
            link.resume();
        }
    }

    /** Whether it may have a stream of its own: not while the server gives it out only together with others. */
    private boolean isTied(WantedPartition partition) {
        return kinship.hasParents(partition.id, wanted.keySet()) || kinship.hasChildren(partition.id, wanted.keySet());
    }

    private StreamLink alone(WantedPartition partition) {
        StreamLink link = newLink(partition.id.stream());
        link.add(partition);
        if (partition.parked) {
            link.park();
        }
        return link;
    }

    private StreamLink newLink(int stream) {
        StreamSpec spec = streams.get(stream);
        StreamLink link = new StreamLink(stream, spec, path(spec), settings, new LoopHome());
        links.add(link);
        return link;
    }

    private void placeGathered() {
        Map<Integer, StreamLink> filling = new HashMap<>();
        Map<StreamLink, Integer> sizes = new HashMap<>();
        for (WantedPartition partition : gathering) {
            if (wanted.get(partition.id) != partition || partition.parked || partition.link != null) {
                continue; // released or placed meanwhile, or to be placed when it is resumed
            }
            StreamLink link = filling.get(partition.id.stream());
            if (link == null || sizes.getOrDefault(link, 0) >= settings.partitionsPerStream()) {
                link = newLink(partition.id.stream());
                filling.put(partition.id.stream(), link);
            }
            link.add(partition);
            sizes.merge(link, 1, Integer::sum);
        }
        gathering.clear();
        sizes.keySet().forEach(StreamLink::begin);
    }

    private String path(StreamSpec spec) {
        return spec.topic().startsWith("/") ? spec.topic() : database + "/" + spec.topic();
    }

    @Override
    public void release(PartitionId partition) {
        onLoop(() -> {
            WantedPartition released = wanted.remove(partition);
            StreamLink link = released == null ? null : released.link;
            if (released == null || link == null) {
                return;
            }
            if (link.isSolo()) {
                close(link, "the partition is not wanted any more");
                link.remove(released);
                return;
            }
            link.remove(released);
            grantOrPark(link);
        });
    }

    @Override
    public void confirm(PartitionId partition, long session, long readOffset) {
        onStream(partition, stream -> stream.confirm(partition.partition(), session, readOffset));
    }

    @Override
    public void reopen(PartitionId partition) {
        onLoop(() -> {
            WantedPartition reopened = wanted.get(partition);
            StreamLink link = reopened == null ? null : reopened.link;
            if (reopened == null || link == null) {
                return;
            }
            if (link.isSolo() || isTied(reopened)) {
                link.restart("it is read again from a lower offset");
            } else {
                part(reopened, link).begin();
            }
        });
    }

    /** Gives a partition of a shared stream one of its own; the others' sessions begin anew. */
    private StreamLink part(WantedPartition partition, StreamLink shared) {
        shared.restartWithout(partition, "partition " + partition.id.partition() + " goes on by itself");
        return alone(partition);
    }

    @Override
    public void taken(SourceEvent.Records records) {
        onLoop(() -> released(records.session(), records.credit()));
    }

    private void released(long session, long credit) {
        StreamLink link = ledger.release(session, credit);
        if (link != null) {
            markDirty(link);
        }
    }

    @Override
    public void park(PartitionId partition) {
        onLoop(() -> {
            WantedPartition parked = wanted.get(partition);
            if (parked == null || parked.parked) {
                return;
            }
            parked.parked = true;
            StreamLink link = parked.link;
            if (link != null && (link.isSolo() || isTied(parked))) {
                grantOrPark(link);
            } else if (link != null) {
                part(parked, link);
            }
        });
    }

    @Override
    public void resume(PartitionId partition) {
        onLoop(() -> {
            WantedPartition resumed = wanted.get(partition);
            if (resumed == null || !resumed.parked) {
                return;
            }
            resumed.parked = false;
            StreamLink link = resumed.link == null ? alone(resumed) : resumed.link;
            grantOrPark(link);
            link.begin();
        });
    }

    @Override
    public void commit(PartitionId partition, long session, long from, long to) {
        onStream(partition, stream -> stream.commit(partition.partition(), session, from, to));
    }

    private void onStream(PartitionId partition, Consumer<ReadStream> command) {
        onLoop(() -> {
            WantedPartition commanded = wanted.get(partition);
            StreamLink link = commanded == null ? null : commanded.link;
            ReadStream stream = link == null ? null : link.machine();
            if (link != null && stream != null) {
                command.accept(stream);
                markDirty(link);
            }
        });
    }

    @Override
    public void stop() {
        onLoop(() -> end("reading was stopped"));
    }

    private void end(String why) {
        term++;
        links.forEach(link -> link.close(why));
        links.clear();
        dirty.clear();
        wanted.clear();
        gathering.clear();
        kinship.clear();
        noticedAt.clear();
        ledger.clear();
    }

    @Override
    public void close() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        onLoop(() -> {
            end("reading was closed");
            ended.complete(null);
        });
        ended.completeOnTimeout(null, settings.closeTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .join();
        loop.shutdownNow();
        await(loop);
        io.shutdownNow();
        decoders.shutdownNow();
        await(io);
        await(decoders);
    }

    private void await(ExecutorService threads) {
        try {
            if (!threads.awaitTermination(settings.closeTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Threads that read topics did not end in time; they end with the process");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- the loop

    private void onLoop(Runnable task) {
        loop.execute(() -> guarded(task));
    }

    private void later(Duration pause, Runnable task) {
        var unused = loop.schedule(() -> guarded(task), pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void repeat(Duration interval, Runnable task) {
        var unused = loop.scheduleWithFixedDelay(
                () -> guarded(task), interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** A fault must be seen: whoever waits for its effect would wait for ever. */
    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error fault) {
            LOG.error("Reading topics failed", fault);
            inbox.accept(new SourceEvent.SourceFailed(
                    -1,
                    "the reader of topics failed: " + fault,
                    "This is a fault of the replicator: report it with its log",
                    true));
        }
    }

    /** What is to be sent goes out together, after the tasks that wait already. */
    private void markDirty(StreamLink link) {
        if (dirty.isEmpty()) {
            onLoop(() -> {
                List<StreamLink> flushed = List.copyOf(dirty);
                dirty.clear();
                flushed.forEach(StreamLink::flush);
            });
        }
        dirty.add(link);
    }

    private void notice(int stream, String what, String remedy, boolean lasting) {
        long now = System.nanoTime();
        Long last = noticedAt.get(stream);
        if (!lasting && last != null && now - last < settings.noticeInterval().toNanos()) {
            return;
        }
        noticedAt.put(stream, now);
        LOG.debug("{} of stream {}", what, stream); // whoever hears of it tells it
        inbox.accept(new SourceEvent.SourceFailed(stream, what, remedy, lasting));
    }

    /** One question about a topic, asked until it is answered. */
    private final class Description {
        private final int stream;
        private final int asked;
        private final long since = System.nanoTime();
        private final Backoff backoff = new LoopHome().newBackoff();

        Description(int stream, int asked) {
            this.stream = stream;
            this.asked = asked;
        }

        void ask() {
            if (asked != term) {
                return;
            }
            StreamSpec spec = streams.get(stream);
            io.execute(() -> {
                Result<SourceEvent.Described> answer = describer.describe(stream, path(spec), spec.consumer());
                onLoop(() -> answered(answer));
            });
        }

        private void answered(Result<SourceEvent.Described> answer) {
            if (asked != term) {
                return;
            }
            if (answer.isSuccess()) {
                kinship.described(stream, answer.getValue().partitions());
                inbox.accept(answer.getValue());
                return;
            }
            Status status = answer.getStatus();
            boolean lasting = Refusal.isLasting(status.getCode())
                    && System.nanoTime() - since >= settings.refusalPatience().toNanos();
            StreamSpec spec = streams.get(stream);
            notice(
                    stream,
                    "describing " + spec.topic() + ": " + StatusText.of(status),
                    Refusal.remedy(status.getCode(), spec),
                    lasting);
            if (!lasting) {
                later(backoff.next(), this::ask);
            }
        }
    }

    private final class LoopHome implements StreamLink.Home {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void later(Duration pause, Runnable task) {
            TopicSource.this.later(pause, task);
        }

        @Override
        public void open(ReadCalls.Listener listener) {
            calls.open(listener);
        }

        @Override
        public ReadStream newStream(StreamLink link, ReadStream.Peer peer) {
            long share = settings.creditBytes() / Math.max(1, links.size());
            long credit = Math.max(settings.creditBytesMin(), Math.min(ReaderSettings.STREAM_CREDIT_BYTES_MAX, share));
            return new ReadStream(link.target(), credit, sessions::incrementAndGet, peer);
        }

        @Override
        public Backoff newBackoff() {
            return new Backoff(settings.reconnectPauseFirst(), settings.reconnectPauseMax(), random);
        }

        @Override
        public void dirty(StreamLink link) {
            markDirty(link);
        }

        @Override
        public void lost(StreamLink link, StatusCode code, String why, boolean lasting) {
            counters.lost(Refusal.isLasting(code));
            notice(link.stream, "reading " + link + ": " + why, Refusal.remedy(code, link.spec), lasting);
        }

        /** No failure of the source, which answers: the engine sees for itself that these partitions have no session. */
        @Override
        public boolean withheld(StreamLink link, List<Long> partitions) {
            List<Long> due = partitions.stream()
                    .filter(id -> !kinship.hasParents(new PartitionId(link.stream, id), wanted.keySet()))
                    .toList(); // the others wait for their parents
            if (!due.isEmpty()) {
                LOG.atWarn()
                        .setMessage("the server does not give us partitions")
                        .addKeyValue("stream", link.spec.topic())
                        .addKeyValue("partitions", due)
                        .addKeyValue(
                                "remedy",
                                "Look for another reader of consumer " + link.spec.consumer()
                                        + ", which must be ours alone.")
                        .log();
            }
            return !due.isEmpty();
        }

        /** At the level of what it ends: whoever saw the one waits for the other. */
        @Override
        public void given(StreamLink link) {
            LOG.atWarn()
                    .setMessage("the server gives us the partitions")
                    .addKeyValue("stream", link.spec.topic())
                    .addKeyValue(
                            "partitions",
                            link.members().stream()
                                    .map(member -> member.id.partition())
                                    .toList())
                    .log();
        }
    }

    private final class LoopLedger implements WantedPartition.Ledger {
        @Override
        public void begin(long session, StreamLink link, ReadStream stream) {
            ledger.begin(session, link, stream);
        }

        @Override
        public void hold(long session, long credit) {
            ledger.hold(session, credit);
        }

        @Override
        public void end(long session) {
            ledger.end(session);
        }

        @Override
        public void release(long session, long credit) {
            onLoop(() -> released(session, credit));
        }
    }
}
