package io.aardappel.program.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The server of pages")
class PageServerTest {
    private final PageServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private volatile boolean well = true;

    PageServerTest() throws IOException {
        server = new PageServer(
                PageServer.at("127.0.0.1", 0),
                List.of(
                        Page.of("/state", "application/json", () -> "{}"),
                        Page.probe("/livez", () -> new Answer(well, well ? "alive" : "stuck"))));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private HttpResponse<String> ask(String method, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
        return client.send(
                HttpRequest.newBuilder(uri)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({
        "/state, 200, application/json, {}",
        "/livez, 200, text/plain; charset=utf-8, alive",
        "/, 404, text/plain; charset=utf-8, /state /livez",
        "/statex, 404, text/plain; charset=utf-8, no such page",
        "/state/more, 404, text/plain; charset=utf-8, no such page"
    })
    void answersWhatIsThereAndNamesIt(String path, int code, String type, String body) throws Exception {
        HttpResponse<String> answer = ask("GET", path);
        assertThat(answer.statusCode()).isEqualTo(code);
        assertThat(answer.headers().firstValue("Content-Type")).contains(type);
        assertThat(answer.body().strip()).isEqualTo(body);
    }

    @Test
    void saysByItsCodeThatAProbeFails() throws Exception {
        well = false;
        HttpResponse<String> answer = ask("GET", "/livez");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("stuck\n");
    }

    @Test
    void givesNoBodyToWhoAsksForNone() throws Exception {
        HttpResponse<String> answer = ask("HEAD", "/state");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void doesNotBeginWhereAnotherOneListens() {
        assertThatThrownBy(() -> new PageServer(server.address(), List.of())).isInstanceOf(BindException.class);
    }

    @Test
    void listensOnAllAddressesWhereNoneIsNamed() {
        assertThat(PageServer.at("", 8080)).isEqualTo(new InetSocketAddress(8080));
    }
}
