package io.aardappel.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.contract.Membership;
import io.aardappel.contract.Stage;
import io.aardappel.crds.api.ReplicationStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A resource whose instance is another's")
class NotServedTest {
    private static final String OLD = "old/feed:copy";
    private static final String HASH = new Sight().hash();

    private static Sight sight() {
        List<StateSeen.StreamSeen> rows = List.of(
                Sight.stream("goods/feed", Membership.MEMBER),
                Sight.stream("orders/feed", Membership.MEMBER),
                Sight.stream("old/feed", Membership.MEMBER));
        return new Sight()
                .noPods()
                .workload(Sight.workload(0, HASH, true))
                .state(Sight.row("", Stage.RUN, false, Optional.of(Sight.NOW), rows));
    }

    private static Condition condition(Plan plan, ConditionType type) {
        return StatusText.previous(plan.status(), type).orElseThrow();
    }

    private static boolean takesOut(Plan plan) {
        return plan.actions().stream().anyMatch(Action.RemoveMembers.class::isInstance);
    }

    @Test
    void saysNothingOfTheOthersRow() {
        ReplicationStatus before = sight().plan().status();
        Plan plan = sight().status(before).obstacle(Reason.CONFLICT).plan();
        assertThat(plan.status().conditions())
                .allSatisfy(one -> assertThat(one.getMessage()).doesNotContain("old/feed", Commands.REMOVE_STREAMS));
        for (ConditionType type : EnumSet.range(ConditionType.SOURCE_REACHABLE, ConditionType.STREAMS_ACCEPTED)) {
            assertThat(condition(plan, type).getStatus()).as(type.word()).isEqualTo("Unknown");
            assertThat(condition(plan, type).getReason()).as(type.word()).isEqualTo("Conflict");
            assertThat(condition(plan, type).getMessage()).as(type.word()).contains("not looked at");
        }
        assertThat(condition(plan, ConditionType.READY).getReason()).isEqualTo("Conflict");
        assertThat(plan.status().stage()).isNull();
        assertThat(plan.status().checkpoint()).isNull();
        assertThat(plan.status().lag()).isNull();
        assertThat(plan.status().streams()).isNull();
        assertThat(plan.status().activePod()).isNull();
    }

    @Test
    void saysNothingOfTheOthersFatalError() {
        Plan plan = sight().state(new Sight().row("", Stage.RUN, true))
                .obstacle(Reason.CONFLICT)
                .plan();
        assertThat(condition(plan, ConditionType.READY).getReason()).isEqualTo("Conflict");
        assertThat(plan.status().lastError()).isNull();
        assertThat(plan.actions()).noneMatch(Action.ClearFatal.class::isInstance);
    }

    @Test
    void saysThatAConfirmationIsSetInVainAndNeverHeedsIt() {
        Sight sight = sight().annotated(Commands.REMOVE_STREAMS, OLD);
        Plan refused = sight.obstacle(Reason.CONFLICT).plan();
        assertThat(condition(refused, ConditionType.COMMANDS_UNDERSTOOD).getMessage())
                .contains("was not served", "set it again");
        Plan served = sight.status(refused.status()).noObstacle().plan();
        assertThat(takesOut(served)).isFalse();
        assertThat(condition(served, ConditionType.STREAMS_ACCEPTED).getReason())
                .isEqualTo(Reason.REMOVAL_NOT_CONFIRMED.word());
        assertThat(served.status().removed()).isEqualTo(OLD);
        assertThat(takesOut(sight.status(served.status()).plan())).isFalse();
    }

    @Test
    void neverHeedsOneThatWasThereBeforeItsFirstPass() {
        Sight sight = sight().annotated(Commands.REMOVE_STREAMS, OLD);
        Plan first = sight.plan();
        assertThat(takesOut(first)).isFalse();
        assertThat(takesOut(sight.status(first.status()).plan())).isFalse();
    }

    @Test
    void leavesAConfirmationVoidWhileTheRowsCannotBeRead() {
        Sight sight = sight().annotated(Commands.REMOVE_STREAMS, OLD).said(Reason.CONFLICT);
        StateSeen row = sight.seen().state();
        Plan away = sight.state(new StateSeen.Unreachable("no route")).plan();
        assertThat(takesOut(sight.status(away.status()).state(row).plan())).isFalse();
    }

    private enum Move {
        CONFLICT,
        NO_CONFLICT,
        SET,
        TAKE_AWAY,
        PASS
    }

    /** What should come of a confirmation, told without looking at a status. */
    private static final class Model {
        private boolean inConflict;
        private boolean isSet;
        private boolean counts;
        private boolean spent;
        private boolean servedAtLastPass;

        void move(Move move) {
            switch (move) {
                case CONFLICT, NO_CONFLICT -> inConflict = move == Move.CONFLICT;
                case SET -> {
                    counts = isSet ? counts : servedAtLastPass && !spent;
                    isSet = true;
                }
                case TAKE_AWAY -> {
                    isSet = false;
                    counts = false;
                }
                case PASS -> {
                    counts &= !inConflict;
                    spent = isSet && !counts;
                    servedAtLastPass = !inConflict;
                }
            }
        }
    }

    @Test
    @DisplayName("takes nothing out, in any order of events, unless that was confirmed while it was served")
    void takesNothingOutInAnyOrder() {
        int taken = play(List.of(), 6);
        assertThat(taken).as("removals in all orders").isPositive();
    }

    private static int play(List<Move> moves, int left) {
        if (left == 0) {
            return replay(moves) ? 1 : 0;
        }
        if (left == 1) {
            return play(append(moves, Move.PASS), 0); // without a pass at its end it shows no more than a shorter one
        }
        int taken = 0;
        for (Move move : Move.values()) {
            if (!moves.isEmpty() && move != Move.PASS && moves.get(moves.size() - 1) == move) {
                continue; // the same twice in a row changes nothing
            }
            taken += play(append(moves, move), left - 1);
        }
        return taken;
    }

    private static List<Move> append(List<Move> moves, Move last) {
        List<Move> longer = new ArrayList<>(moves);
        longer.add(last);
        return longer;
    }

    private static boolean replay(List<Move> moves) {
        Model model = new Model();
        Sight sight = sight();
        boolean taken = false;
        for (Move move : moves) {
            model.move(move);
            switch (move) {
                case CONFLICT -> sight.obstacle(Reason.CONFLICT);
                case NO_CONFLICT -> sight.noObstacle();
                case SET -> sight.annotated(Commands.REMOVE_STREAMS, OLD);
                case TAKE_AWAY -> sight.annotated(Commands.REMOVE_STREAMS, "");
                case PASS -> {
                    Plan plan = sight.plan();
                    assertThat(takesOut(plan)).as("after %s", moves).isEqualTo(model.isSet && model.counts);
                    taken |= takesOut(plan);
                    sight.status(plan.status());
                }
            }
        }
        return taken;
    }
}
