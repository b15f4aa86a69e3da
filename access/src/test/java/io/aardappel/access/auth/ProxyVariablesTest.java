package io.aardappel.access.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The proxy variables")
class ProxyVariablesTest {
    private static Proxy chosen(Map<String, String> environment, String target) {
        return new ProxyVariables(environment).select(URI.create(target)).get(0);
    }

    private static Proxy proxy(String host, int port) {
        return new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(host, port));
    }

    @Test
    void chooseByScheme() {
        Map<String, String> both = Map.of("HTTP_PROXY", "http://one:1", "HTTPS_PROXY", "http://two:2");
        assertThat(chosen(both, "http://sts.example/t")).isEqualTo(proxy("one", 1));
        assertThat(chosen(both, "https://sts.example/t")).isEqualTo(proxy("two", 2));
    }

    @Test
    void areReadInSmallLettersToo() {
        assertThat(chosen(Map.of("https_proxy", "http://small:3"), "https://sts.example"))
                .isEqualTo(proxy("small", 3));
    }

    @Test
    void needNoSchemeAndNoPort() {
        assertThat(chosen(Map.of("HTTP_PROXY", "one"), "http://sts.example")).isEqualTo(proxy("one", 80));
    }

    @ParameterizedTest
    @ValueSource(strings = {"socks5://one:1", "https://one:1", "http://", "::"})
    void areLeftOutWhenTheyNameNoHttpProxy(String value) {
        assertThat(chosen(Map.of("HTTP_PROXY", value), "http://sts.example")).isEqualTo(Proxy.NO_PROXY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:8080", "http://127.0.0.1", "http://[::1]:80/t"})
    void neverLeadToThisMachineByAProxy(String target) {
        assertThat(chosen(Map.of("HTTP_PROXY", "one:1"), target)).isEqualTo(Proxy.NO_PROXY);
    }

    @ParameterizedTest
    @CsvSource({
        "*, http://any.example, true",
        "example, http://sts.example, true",
        "example, http://example, true",
        "example, http://notexample, false",
        ".example, http://sts.example, true",
        ".example, http://example, false",
        "*.example, http://sts.example, true",
        "STS.Example, http://sts.EXAMPLE, true",
        "sts.example:80, http://sts.example, true",
        "sts.example:443, http://sts.example, false",
        "'other, sts.example', http://sts.example, true",
        "10.0.0.0/8, http://10.1.2.3, true",
        "10.0.0.0/8, http://11.1.2.3, false",
        "10.0.0.0/8, http://sts.example, false",
        "10.1.2.3, http://10.1.2.3, true",
        "fd00::/8, http://[fd12::1]/t, true",
        "[fd12::1]:80, http://[fd12::1]/t, true",
        "10.0.0.0/99, http://10.1.2.3, false",
        "'', http://sts.example, false"
    })
    void makeExceptions(String exceptions, String target, boolean direct) {
        Proxy chosen = chosen(Map.of("HTTP_PROXY", "one:1", "NO_PROXY", exceptions), target);
        assertThat(chosen.equals(Proxy.NO_PROXY)).isEqualTo(direct);
    }

    @Test
    void tellTheProxyWhoWeAre() {
        ProxyVariables variables = new ProxyVariables(Map.of("HTTP_PROXY", "http://me:p%40ss+1@one:1"));
        assertThat(variables.authorization(URI.create("http://sts.example"))).contains("Basic bWU6cEBzcysx");
        assertThat(variables.authorization(URI.create("https://sts.example"))).isEmpty();
    }
}
