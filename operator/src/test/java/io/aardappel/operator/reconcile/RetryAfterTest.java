package io.aardappel.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The wait that a busy API server asks for")
class RetryAfterTest {
    @CsvSource({
        "429, 1, 1",
        "429, 3600, 8",
        "503, 2, 2",
        "500, 2, 2",
        "429, '', 0",
        "429, soon, 0",
        "429, -1, 0",
        "429, 99999999999999999999, 0",
        "404, 5, 0",
        "409, 5, 0"
    })
    @ParameterizedTest
    void isKeptWithinABound(int code, String asked, long seconds) {
        assertThat(RetryAfter.wait(new Answer(code, asked))).isEqualTo(Duration.ofSeconds(seconds));
    }

    private record Answer(int code, String retryAfter) implements HttpResponse<Object> {
        @Override
        public Object body() {
            return "";
        }

        @Override
        public HttpRequest request() {
            throw new UnsupportedOperationException("nobody asks for it");
        }

        @Override
        public Optional<HttpResponse<?>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public List<String> headers(String name) {
            return name.equals("Retry-After") && !retryAfter.isEmpty() ? List.of(retryAfter) : List.of();
        }

        @Override
        public Map<String, List<String>> headers() {
            return Map.of("Retry-After", headers("Retry-After"));
        }
    }
}
