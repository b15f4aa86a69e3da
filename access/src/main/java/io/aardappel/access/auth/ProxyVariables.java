package io.aardappel.access.auth;

import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the proxy by the environment variables {@code HTTP_PROXY}, {@code HTTPS_PROXY} and {@code NO_PROXY}, in capitals or
 * small letters, as Go programs do. This machine itself is never reached by a proxy. Immutable.
 */
public final class ProxyVariables extends ProxySelector {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyVariables.class);
    private static final List<Proxy> DIRECT = List.of(Proxy.NO_PROXY);
    private static final int STANDARD_PORT = 80;

    private final @Nullable URI forHttp;
    private final @Nullable URI forHttps;
    private final List<String> exceptions;

    /** @param environment of the process */
    public ProxyVariables(Map<String, String> environment) {
        this.forHttp = proxy(environment, "HTTP_PROXY");
        this.forHttps = proxy(environment, "HTTPS_PROXY");
        this.exceptions = List.of(variable(environment, "NO_PROXY")
                .toLowerCase(Locale.ROOT)
                .strip()
                .split("\\s*,\\s*"));
    }

    private static String variable(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        return value.isEmpty() ? environment.getOrDefault(name.toLowerCase(Locale.ROOT), "") : value;
    }

    private static @Nullable URI proxy(Map<String, String> environment, String name) {
        String value = variable(environment, name).strip();
        if (value.isEmpty()) {
            return null;
        }
        try {
            URI uri = URI.create(value.contains("://") ? value : "http://" + value);
            if (uri.getHost() != null && "http".equalsIgnoreCase(uri.getScheme())) {
                return uri;
            }
        } catch (IllegalArgumentException malformed) {
            // told below: its message quotes the value, which may hold a password
        }
        LOG.warn("the environment variable {} is left out: it is no http://HOST:PORT", name);
        return null;
    }

    @Override
    public List<Proxy> select(URI target) {
        URI proxy = proxyOf(target);
        return proxy == null
                ? DIRECT
                : List.of(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(proxy.getHost(), port(proxy))));
    }

    private @Nullable URI proxyOf(URI target) {
        URI proxy = "https".equalsIgnoreCase(target.getScheme()) ? forHttps : forHttp;
        return proxy == null || isDirect(target) ? null : proxy;
    }

    private static int port(URI proxy) {
        return proxy.getPort() < 0 ? STANDARD_PORT : proxy.getPort();
    }

    private boolean isDirect(URI target) {
        String host = bare(target.getHost().toLowerCase(Locale.ROOT));
        int port = target.getPort() >= 0 ? target.getPort() : "https".equalsIgnoreCase(target.getScheme()) ? 443 : 80;
        Optional<InetAddress> address =
                InetAddresses.isInetAddress(host) ? Optional.of(InetAddresses.forString(host)) : Optional.empty();
        return host.equals("localhost")
                || address.map(InetAddress::isLoopbackAddress).orElse(false)
                || exceptions.stream().anyMatch(entry -> covers(entry, host, port, address));
    }

    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static boolean covers(String entry, String host, int port, Optional<InetAddress> address) {
        if (entry.equals("*")) {
            return true;
        }
        if (entry.contains("/")) {
            return address.isPresent() && isWithin(entry, address.get());
        }
        String name = entry;
        int colon = entry.lastIndexOf(':');
        boolean afterName = colon > 0 && entry.indexOf(':') == colon;
        boolean afterBrackets = entry.startsWith("[") && colon > entry.indexOf(']');
        if (afterName || afterBrackets) {
            if (!entry.substring(colon + 1).equals(String.valueOf(port))) {
                return false;
            }
            name = entry.substring(0, colon);
        }
        name = bare(name);
        if (address.isPresent()) {
            return InetAddresses.isInetAddress(name)
                    && InetAddresses.forString(name).equals(address.get());
        }
        String domain = name.startsWith("*.") ? name.substring(1) : name;
        return !domain.isEmpty()
                && (host.equals(domain) || host.endsWith(domain.startsWith(".") ? domain : "." + domain));
    }

    private static boolean isWithin(String range, InetAddress address) {
        int slash = range.indexOf('/');
        String network = range.substring(0, slash);
        if (!InetAddresses.isInetAddress(network) || !range.substring(slash + 1).matches("\\d{1,3}")) {
            return false;
        }
        byte[] first = InetAddresses.forString(network).getAddress();
        byte[] other = address.getAddress();
        int bits = Integer.parseInt(range.substring(slash + 1));
        if (first.length != other.length || bits > first.length * 8) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % 8;
            if ((first[bit / 8] & mask) != (other[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void connectFailed(URI target, SocketAddress proxy, IOException failure) {
        // whoever asked is told by the same exception
    }

    /** What tells the proxy of an address who we are; empty when there is none, or it need not know. */
    Optional<String> authorization(URI target) {
        URI proxy = proxyOf(target);
        String info = proxy == null ? null : proxy.getRawUserInfo();
        return info == null
                ? Optional.empty()
                : Optional.of("Basic "
                        + Base64.getEncoder().encodeToString(decoded(info).getBytes(StandardCharsets.UTF_8)));
    }

    /** The plus sign stands for itself in this part of an address. */
    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
