package namewright;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Repeats a request with one Idempotency-Key for all attempts. */
final class Retries {
    private static final Set<Integer> STATUS = Set.of(429, 502, 503, 504);
    private static final long FIRST_WAIT_MS = 500;
    private static final long LONGEST_BACK_OFF_MS = 8_000;
    /** What Retry-After may ask for at most. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    private static final Duration WAITING_REQUEST = Duration.ofSeconds(30);

    private Retries() {}

    static HttpResponse<InputStream> send(Client.Config config, Client.RequestSpec spec) {
        Map<String, String> headers = headersOf(config, spec);
        String url = Client.appendQuery(spec.url, spec.query);
        Duration timeout = spec.query.containsKey("wait") ? config.timeout.plus(WAITING_REQUEST) : config.timeout;
        for (int attempt = 1; ; attempt++) {
            HttpResponse<InputStream> response = null;
            Exception failure = null;
            try {
                response = once(config.httpClient, request(spec, url, headers), timeout);
            } catch (TimeoutException | IOException exception) {
                failure = exception;
            }
            Duration wait = waitAfter(attempt, 1 + config.retry.retries, response);
            if (wait != null) {
                sleep(wait);
            } else if (response != null) {
                assertNotProposed(response);
                return response;
            } else if (failure instanceof TimeoutException) {
                throw new Client.ApiTimeoutException(spec.operationId, timeout, attempt);
            } else {
                throw new UncheckedIOException(spec.operationId + " got no response: " + failure.getMessage(), (IOException) failure);
            }
        }
    }

    private static void assertNotProposed(HttpResponse<InputStream> response) {
        String location = response.headers().firstValue("Location").orElse("");
        if (response.statusCode() == 202 && location.startsWith("/api/proposals/")) {
            throw new WriteProposedException(location);
        }
    }

    static Client.Config copyOf(Client.Config config) {
        Client.Config copy = new Client.Config();
        copy.serverUrl(config.serverUrl).httpClient(config.httpClient).timeout(config.timeout).retry(config.retry).auth(config.auth);
        copy.headers.putAll(config.headers);
        return copy;
    }

    private static Map<String, String> headersOf(Client.Config config, Client.RequestSpec spec) {
        Map<String, String> headers = new LinkedHashMap<>(config.headers);
        headers.putAll(spec.headers);
        if (spec.contentType != null && spec.body != null) {
            headers.put("Content-Type", spec.contentType);
        }
        if (!spec.method.equals("GET") && headers.keySet().stream().noneMatch("Idempotency-Key"::equalsIgnoreCase)) {
            headers.put("Idempotency-Key", UUID.randomUUID().toString());
        }
        return headers;
    }

    private static HttpRequest request(Client.RequestSpec spec, String url, Map<String, String> headers) throws IOException {
        if (spec.body instanceof InputStream stream) {
            spec.body = stream.readAllBytes();
        }
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(url));
        headers.forEach(builder::setHeader);
        byte[] body = (byte[]) spec.body;
        return builder.method(spec.method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body)).build();
    }

    /** Reads the whole response: a connection may be lost in the middle of the body, too. */
    private static HttpResponse<InputStream> once(HttpClient client, HttpRequest request, Duration timeout)
            throws IOException, TimeoutException {
        BodyHandler<InputStream> whole =
            info -> BodySubscribers.mapping(BodySubscribers.ofByteArray(), ByteArrayInputStream::new);
        CompletableFuture<HttpResponse<InputStream>> response = client.sendAsync(request, whole);
        try {
            return response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException exception) {
            throw exception.getCause() instanceof IOException lost ? lost : new IOException(exception.getCause());
        } catch (InterruptedException exception) {
            throw interrupted();
        } finally {
            response.cancel(true);
        }
    }

    /** The time until the next attempt, or null if this was the last. No response means a lost connection or a timeout. */
    private static Duration waitAfter(int attempt, int attempts, HttpResponse<InputStream> response) {
        if (attempt >= attempts || (response != null && !mayRepeat(response))) {
            return null;
        }
        Duration asked = response == null ? null : retryAfter(response.headers().firstValue("Retry-After").orElse(""));
        if (asked != null) {
            return asked.compareTo(LONGEST_WAIT) <= 0 ? asked : null;
        }
        long most = Math.min(FIRST_WAIT_MS << (attempt - 1), LONGEST_BACK_OFF_MS);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(most + 1));
    }

    private static boolean mayRepeat(HttpResponse<InputStream> response) {
        // A 409 with Retry-After: the first attempt, whose response was lost, still runs.
        return STATUS.contains(response.statusCode())
            || (response.statusCode() >= 400 && response.headers().firstValue("Retry-After").isPresent());
    }

    private static Duration retryAfter(String value) {
        try {
            if (value.matches("\\d{1,9}")) {
                return Duration.ofSeconds(Long.parseLong(value));
            }
            Instant date = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            Duration left = Duration.between(Instant.now(), date);
            return left.isNegative() ? Duration.ZERO : left;
        } catch (DateTimeException exception) {
            return null;
        }
    }

    static void sleep(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException exception) {
            throw new UncheckedIOException(interrupted());
        }
    }

    private static IOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted");
    }
}
