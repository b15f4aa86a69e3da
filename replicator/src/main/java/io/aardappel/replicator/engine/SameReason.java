package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Problem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Problems that were found together, told as one: whoever repairs the first is to know of the others. Stateless. */
final class SameReason {
    /** So that the text fits a row and a line; what is left out is counted. */
    private static final int NAMED_MOST = 8;

    private SameReason() {}

    /** The first problem, and with it what else has its reason and remedy; empty when there is none. */
    static Optional<Problem> asOne(List<Problem> found) {
        return found.stream().findFirst().map(first -> {
            List<Problem> alike = found.stream()
                    .filter(problem -> problem.reason() == first.reason()
                            && problem.remedy().equals(first.remedy()))
                    .distinct()
                    .toList();
            int unnamed = alike.size() - NAMED_MOST;
            String what = alike.stream()
                    .limit(NAMED_MOST)
                    .map(Problem::what)
                    .collect(Collectors.joining("; ", "", unnamed > 0 ? "; and " + unnamed + " more" : ""));
            return new Problem(first.reason(), what, first.remedy());
        });
    }
}
