package io.aardappel.operator.observe;

import io.aardappel.access.failure.Cause;
import io.aardappel.crds.api.Replication;
import io.aardappel.operator.plan.PageSeen;
import io.aardappel.operator.resources.DesiredDeployment;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one pod of each resource for its page on a timer, by a bounded number of threads and each for a few seconds at most. What is
 * asked for no more is forgotten. Thread-safe.
 */
public final class PolledPages implements PageBook, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PolledPages.class);
    private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(2);
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(3);

    /** After so many periods without a question a resource's pod is asked no more. */
    private static final int PERIODS_KEPT = 30;

    private final InstantSource clock;
    private final Duration period;
    private final PollListener listener;
    private final ScheduledExecutorService threads;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTED_WITHIN)
            .proxy(HttpClient.Builder.NO_PROXY) // pods are in the cluster's own network
            .build();
    /** By the resource's uid. */
    private final Map<String, Subject> subjects = new ConcurrentHashMap<>();

    /**
     * Asks pods.
     *
     * @param period how often each is asked
     * @param threads how many are asked at a time
     */
    public PolledPages(InstantSource clock, Duration period, int threads, PollListener listener) {
        this.clock = clock;
        this.period = period;
        this.listener = listener;
        this.threads = Executors.newScheduledThreadPool(threads, task -> {
            Thread made = new Thread(task, "pod-pages");
            made.setDaemon(true);
            return made;
        });
    }

    @Override
    public PageSeen of(Replication resource, Optional<Pod> pod) {
        String uid = resource.getMetadata().getUid();
        Optional<URI> page = pod.flatMap(PolledPages::page);
        if (page.isEmpty()) {
            end(subjects.remove(uid));
            return new PageSeen.NotAsked();
        }
        String name = pod.get().getMetadata().getName();
        Subject subject = subjects.compute(uid, (id, known) -> {
            if (known != null && known.pod.equals(name) && known.page.equals(page.get())) {
                return known;
            }
            end(known);
            return begun(new Subject(id, name, page.get(), clock.instant()));
        });
        return subject.look(clock.instant());
    }

    private Subject begun(Subject subject) {
        subject.turns = threads.scheduleWithFixedDelay(subject::poll, 0, period.toMillis(), TimeUnit.MILLISECONDS);
        return subject;
    }

    private static void end(@Nullable Subject subject) {
        ScheduledFuture<?> turns = subject == null ? null : subject.turns;
        if (turns != null) {
            turns.cancel(false);
        }
    }

    /** Where a pod has its page; empty while it has no address. */
    private static Optional<URI> page(Pod pod) {
        String address = pod.getStatus() == null ? null : pod.getStatus().getPodIP();
        if (address == null || address.isEmpty()) {
            return Optional.empty();
        }
        String host = address.indexOf(':') < 0 ? address : "[" + address + "]";
        return pod.getSpec().getContainers().stream()
                .flatMap(container -> container.getPorts().stream())
                .filter(port -> DesiredDeployment.PORT_NAME.equals(port.getName()))
                .map(ContainerPort::getContainerPort)
                .findFirst()
                .map(port -> URI.create("http://" + host + ":" + port + "/status"));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** One pod. Asked by one thread at a time. */
    private final class Subject {
        private final String uid;
        private final String pod;
        private final URI page;
        private volatile Instant asked;
        private volatile PageSeen seen = new PageSeen.NotAsked();
        private volatile @Nullable ScheduledFuture<?> turns;

        Subject(String uid, String pod, URI page, Instant asked) {
            this.uid = uid;
            this.pod = pod;
            this.page = page;
            this.asked = asked;
        }

        PageSeen look(Instant now) {
            asked = now;
            return seen;
        }

        private void poll() {
            if (asked.isBefore(clock.instant().minus(period.multipliedBy(PERIODS_KEPT)))) {
                subjects.remove(uid, this);
                end(this);
                return;
            }
            long began = System.nanoTime();
            boolean answered = true;
            try {
                seen = StatusPage.read(pod, ask());
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
                return;
            } catch (IOException | RuntimeException failed) {
                answered = false;
                String why = Cause.of(failed);
                LOG.atDebug().addKeyValue("pod", pod).log("{} cannot be read: {}", page, why);
                seen = new PageSeen.Unreachable(pod, why);
            }
            listener.polled(Duration.ofNanos(System.nanoTime() - began), answered);
        }

        private byte[] ask() throws IOException, InterruptedException {
            HttpRequest request =
                    HttpRequest.newBuilder(page).timeout(ANSWERED_WITHIN).build();
            CompletableFuture<HttpResponse<byte[]>> pending = client.sendAsync(request, head -> new PageHead());
            try {
                HttpResponse<byte[]> answer = pending.get(ANSWERED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
                if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
                    throw new IOException("it answers with status " + answer.statusCode());
                }
                return answer.body();
            } catch (TimeoutException late) {
                pending.cancel(true);
                throw new IOException("no answer within " + ANSWERED_WITHIN.toSeconds() + " s", late);
            } catch (ExecutionException failed) {
                throw new IOException(Cause.of(failed), failed);
            }
        }
    }
}
