// What the generated clients get wrong for this API, in the places where they have no option or hook for it.
// Each edit says how often it applies: a new version of the generator that changes such a place fails, and is looked at.
import { requestSchemas, TEXT } from './document-with-named-types.mjs';

const ANY = Infinity;
/** A zone file is sent as what it is. */
const zoneFile = [ANY, TEXT, 'text/dns'];
/** A redirect has no body to read, and following it would take the key to another host: an error. */
const redirect = (condition) => [ANY, condition, condition.replace('400', '300')];

const EDITS = {
  python: [
    zoneFile,
    // A key of the caller is sent with every write.
    [2, 'and method.upper() in ("POST", "PATCH")', 'and method.upper() not in ("GET", "HEAD")'],
    // Newer versions of httpx replace the query of the URL, which has dry_run, even by an empty one.
    [
      2,
      'params=params,\n                    json=',
      'params={**dict(httpx.URL(context["url"]).params), **(params or {})},\n                    json=',
    ],
    [
      1,
      'return response.json()\n',
      'return response.json() if "json" in response.headers.get("content-type", "") else response.text\n',
    ],
  ],
  go: [
    zoneFile,
    redirect('if resp.StatusCode >= 400 {'),
    [ANY, /^(\t+)Type_ /m, '$1Type  '],
    [ANY, /\bType_\b/, 'Type'],
    // connection.go has an Error that says the code.
    [1, /func \(e \*APIError\) Error\(\) string \{\n.*\n\}\n\n/, ''],
    // The error of net/http says which URL it was, and has a Timeout method.
    [1, /\/\/ TimeoutError is returned[^]*?\n\}\n\nfunc \(e \*TimeoutError\) Error\(\) string \{\n.*\n\}\n\n/, ''],
    [1, /\t\t\ttimedOut := .*\n/, ''],
    [1, /\t\t\tif timedOut \{\n.*\n\t\t\t\}\n/, ''],
    [1, 'StatusText string\n\tBody       any\n', 'StatusText string\n\tBody       any\n\tRequestID  string\n'],
    [
      1,
      'StatusText: resp.Status, Body: body}',
      'StatusText: resp.Status, Body: body, RequestID: resp.Header.Get("X-Request-Id")}',
    ],
    [
      1,
      'return json.NewDecoder(resp.Body).Decode(target)',
      'if text, ok := target.(*string); ok {\n\t\tdata, err := io.ReadAll(resp.Body)\n\t\t*text = string(data)\n\t\treturn err\n\t}\n\treturn json.NewDecoder(resp.Body).Decode(target)',
    ],
  ],
  php: [
    zoneFile,
    redirect("if ($response['status'] >= 400) {"),
    // A required member may be null.
    [ANY, /^( +\w+): (\w+::fromArray)\((\$data\['\w+'\])\),$/m, '$1: isset($3) ? $2($3) : null,'],
    [ANY, /(\$this->\w+)->toArray\(\)/, '$1?->toArray()'],
    // ApiError.php has a class that says the code.
    [1, /\/\*\* A response with status >= 400, decoded body attached. \*\/\nfinal class ApiError[^]*?\n\}\n\n/, ''],
    [
      1,
      "$response['reason'], decodeJson($response))",
      "decodeJson($response), $response['headers']['x-request-id'] ?? null)",
    ],
    [
      1,
      "return json_decode($response['body'], true);",
      "return str_contains($response['headers']['content-type'] ?? '', 'json') ? json_decode($response['body'], true) : $response['body'];",
    ],
    // A request that waits has a longer timeout.
    [
      1,
      'if ($config->timeout !== null) {\n',
      "$timeout = $request['timeout'] ?? $config->timeout;\n    if ($timeout !== null) {\n",
    ],
    [1, 'round($config->timeout * 1000)', 'round($timeout * 1000)'],
    [1, "$headers['X-Redocly-Client']", "$headers['User-Agent']"],
  ],
  java: [
    zoneFile,
    redirect('if (response.statusCode() >= 400) {'),
    // ApiException.java has a class that says the code.
    [
      1,
      /    \/\*\* A response with status >= 400, with the decoded body attached. \*\/\n    public static class ApiException[^]*?\n    \}\n\n/,
      '',
    ],
    [
      1,
      'new ApiException(url, response.statusCode(), body)',
      'new ApiException(url, response.statusCode(), body, response.headers().firstValue("X-Request-Id").orElse(null))',
    ],
    [
      1,
      'return text.isBlank() ? null : Json.parse(text);',
      'if (!response.headers().firstValue("Content-Type").orElse("").contains("json")) {\n            return text;\n        }\n        return text.isBlank() ? null : Json.parse(text);',
    ],
    // `wait(30L)` would be the method of Object.
    [1, 'ListEventsParams wait(Long wait)', 'ListEventsParams waitSeconds(Long wait)'],
    // It has no hook around a request: Retries.java sends it.
    [
      1,
      /(    static HttpResponse<InputStream> send\(Config config, RequestSpec spec\) \{\n)[^]*?\n    \}\n/,
      '$1        return Retries.send(config, spec);\n    }\n',
    ],
    [
      1,
      '    public Client() {\n        this(new Config());\n    }\n',
      '    /** This client with one more header in its requests, such as `If-Match`. */\n    public Client withHeader(String name, String value) {\n        return new Client(Retries.copyOf(config).header(name, value));\n    }\n',
    ],
  ],
};

/**
 * Gives the records of requests what the classes of parameters have: `new AddRecord().type("A").name("www")`. A call of their constructor
 * names no members, and every new one would break it.
 */
function withSetters(text, requests) {
  return text.replace(/    public record (\w+)\(\n([^)]*)\n    \) implements JsonValue \{\n/g, (record, name, list) => {
    if (!requests.has(name)) return record;
    const members = list.split(',\n').map((member) => member.trim().split(/ (?=\w+$)/));
    const all = members.map(([, member]) => member).join(', ');
    const setters = members.map(
      ([type, member]) =>
        `        public ${name} ${member}(${type} ${member}) {\n            return new ${name}(${all});\n        }\n\n`,
    );
    const empty = `        public ${name}() {\n            this(${members.map(() => 'null').join(', ')});\n        }\n\n`;
    return `${record}${empty}${setters.join('')}`;
  });
}

/** @throws if the generator's output is not as the edits expect it */
export function edit(language, generated, document) {
  let text = language === 'java' ? withSetters(generated, requestSchemas(document)) : generated;
  for (const [times, from, to] of EDITS[language] ?? []) {
    const found =
      typeof from === 'string'
        ? text.split(from).length - 1
        : (text.match(new RegExp(from, `${from.flags}g`)) ?? []).length;
    if (times === ANY ? found === 0 : found !== times)
      throw new Error(`The ${language} generator wrote ${found} times what is edited ${times} times: ${from}`);
    text = text.replaceAll(typeof from === 'string' ? from : new RegExp(from, `${from.flags}g`), to);
  }
  return text;
}
