package namewright;

import java.net.http.HttpClient;
import java.time.Duration;

/** Connects to a service. {@link Client} has one method for each operation of its API. */
public final class Namewright {
    private Namewright() {}

    public static Client connect(String url, String key) {
        return connect(url, key, new Options());
    }

    public static Client connect(String url, String key, Options options) {
        HttpClient http = options.httpClient != null
            ? options.httpClient
            : HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(options.timeout).build();
        return new Client(new Client.Config()
            .serverUrl(url)
            .httpClient(http)
            .timeout(options.timeout)
            .retry(new Client.Retry().retries(options.attempts - 1))
            .header("User-Agent", "namewright-java/0.1.0")
            .auth(new Client.Auth().bearer(() -> key)));
    }

    /** 30 seconds for an attempt, and five attempts. */
    public static final class Options {
        private Duration timeout = Duration.ofSeconds(30);
        private int attempts = 5;
        private HttpClient httpClient;

        /** Of one attempt; a request that waits gets the time that it asks for on top. */
        public Options timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /** In all; 1 does not retry. */
        public Options attempts(int attempts) {
            this.attempts = attempts;
            return this;
        }

        public Options httpClient(HttpClient httpClient) {
            this.httpClient = httpClient;
            return this;
        }
    }
}
