package io.aardappel.emulator;

import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.grpc.ServerContext;
import io.aardappel.emulator.grpc.Tenant;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.fault.Hazards.Strike;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the emulator does without being asked: changefeeds, and the faults that no request brings about. One thread at a time. */
final class DutyCycle implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(DutyCycle.class);

    private final ServerContext context;
    private final Faults faults;
    private final Runnable restartNode;

    DutyCycle(ServerContext context, Runnable restartNode) {
        this.context = context;
        this.faults = context.faults();
        this.restartNode = restartNode;
    }

    @Override
    public void run() {
        try {
            context.databases().all().forEach(this::tick);
            context.streams().cutByFault(faults);
        } catch (RuntimeException defect) {
            LOG.error("the emulator's own work failed; it goes on", defect);
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
        tenant.database().tick();
    }
}
