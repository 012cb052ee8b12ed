package namewright;

import java.util.Map;

/** The service refused the request. `code` is one of {@link Client.ErrorCode}, or one of a newer service. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    public final String url;
    public final int status;
    public final String code;
    /** What about this request, or null. */
    public final String details;
    /** Finds the request in the service's log. */
    public final String requestId;
    public final transient Object body;

    ApiException(String url, int status, Object body, String requestId) {
        super(describe(status, body, requestId));
        this.url = url;
        this.status = status;
        this.body = body;
        this.requestId = requestId;
        this.code = member(body, "code", "UNKNOWN_RESPONSE");
        this.details = member(body, "details", null);
    }

    public boolean is(Client.ErrorCode code) {
        return code.wire().equals(this.code);
    }

    private static String describe(int status, Object body, String requestId) {
        String message = member(body, "message", "HTTP status " + status);
        String details = member(body, "details", null);
        return member(body, "code", "UNKNOWN_RESPONSE") + " (" + status + "): " + message
            + (details == null ? "" : ": " + details)
            + (requestId == null ? "" : " [request " + requestId + "]");
    }

    private static String member(Object body, String name, String otherwise) {
        boolean isError = body instanceof Map<?, ?> envelope && envelope.get("error") instanceof Map<?, ?>;
        Object value = isError ? ((Map<?, ?>) ((Map<?, ?>) body).get("error")).get(name) : null;
        return value instanceof String text ? text : otherwise;
    }
}
