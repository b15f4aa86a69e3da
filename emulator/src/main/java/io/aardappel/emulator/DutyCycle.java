package io.aardappel.emulator;

import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.grpc.ServerContext;
import io.aardappel.emulator.grpc.Tenant;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.fault.Hazards.Strike;
import io.aardappel.emulator.model.topic.Topic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the emulator does without being asked: changefeeds, and the faults that no request brings about. One thread at a time. */
final class DutyCycle implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(DutyCycle.class);

    /** Retention is looked at about once a second. */
    private static final int CYCLES_PER_EXPIRY = 200;
    /** Whether callers of open streams may stay is looked at a few times a second; YDB takes minutes. */
    private static final int CYCLES_PER_LOOK_AT_CALLERS = 20;

    private final ServerContext context;
    private final Faults faults;
    private final Runnable restartNode;
    private long cycles;

    DutyCycle(ServerContext context, Runnable restartNode) {
        this.context = context;
        this.faults = context.faults();
        this.restartNode = restartNode;
    }

    @Override
    public void run() {
        try {
            context.databases().all().forEach(this::tick);
            if (cycles++ % CYCLES_PER_EXPIRY == 0) {
                context.databases().all().forEach(DutyCycle::expire);
            }
            if (cycles % CYCLES_PER_LOOK_AT_CALLERS == 0) {
                context.streams().dismissUnwelcome();
            }
            context.streams().cutByFault(faults);
        } catch (RuntimeException defect) {
            LOG.error("the emulator's own work failed; it goes on", defect);
        }
    }

    private static void expire(Tenant tenant) {
        long now = tenant.database().wallMillis();
        tenant.topics().all().forEach(topic -> topic.expire(now));
    }

    private void disturb(Tenant tenant, Topic topic) {
        Strike cut = faults.strike(Fault.RETENTION_CUT, topic.path(), -1);
        if (cut != null) {
            LOG.info("fault: {} loses its {} oldest messages of each partition", topic.path(), cut.amount());
            topic.cutOldest(cut.amount());
        }
        if (faults.strike(Fault.TOPIC_RECREATED, topic.path(), -1) != null) {
            LOG.info("fault: {} is dropped and created anew", topic.path());
            topic.recreate(tenant.database().plannedNow());
        }
    }

    private void tick(Tenant tenant) {
        Site site = Site.of(tenant.path(), Operation.BACKGROUND);
        Strike jump = faults.strike(Fault.CLOCK_JUMP, site);
        if (jump != null) {
            LOG.info("fault: the clock of {} jumps by {} ms", tenant.path(), jump.amount());
            tenant.database().jumpClock(jump.amount());
        }
        if (faults.strike(Fault.NODE_RESTART, site) != null) {
            LOG.info("fault: the node restarts");
            restartNode.run();
        }
        if (!faults.quiet()) {
            tenant.topics().all().forEach(topic -> disturb(tenant, topic));
        }
        tenant.database().tick();
        tenant.topics().upkeep(tenant.database().wallMillis(), faults);
    }
}
