package io.aardappel.e2e.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Opens tunnels as an HTTP proxy does, to those who show its password. Every tunnel leads to the one port that is forwarded to. */
final class TunnelKeeper implements Forwarder.Doorkeeper {
    private static final int HEAD_BYTES_MAX = 16_384;
    private static final String HEAD_END = "\r\n\r\n";

    private final String admitted;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** @param credentials user, colon, password */
    TunnelKeeper(String credentials) {
        this.admitted = "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    /** The first line of each request, such as {@code CONNECT sts.example:443 HTTP/1.1}, whatever became of it. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    @Override
    public boolean admits(Socket from) throws IOException {
        String head = head(from.getInputStream());
        asked.add(head.lines().findFirst().orElse(""));
        boolean admits = head.startsWith("CONNECT ") && head.lines().anyMatch(this::isAdmitted);
        String answer = admits
                ? "HTTP/1.1 200 Connection established" + HEAD_END
                : "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"tunnels\"\r\n"
                        + "Content-Length: 0" + HEAD_END;
        from.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        return admits;
    }

    private boolean isAdmitted(String line) {
        int colon = line.indexOf(':');
        return colon > 0
                && line.substring(0, colon).equalsIgnoreCase("Proxy-Authorization")
                && line.substring(colon + 1).strip().equals(admitted);
    }

    /** Byte by byte, because what follows is the tunnel's. */
    private static String head(InputStream request) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf(HEAD_END, head.length() - HEAD_END.length()) < 0) {
            int next = request.read();
            if (next < 0 || head.length() == HEAD_BYTES_MAX) {
                throw new IOException("no request");
            }
            head.append((char) next);
        }
        return head.toString();
    }
}
