/** A vendor's response as recorded. */
export interface RecordedResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the response has none. A text if it is no JSON. */
  readonly body: unknown;
}

/** Parses a raw HTTP/1.1 response: status line, headers, an empty line, a body. @throws TypeError without a status line */
export function parseRecordedResponse(text: string): RecordedResponse {
  const [head = '', ...rest] = text.split(/\r?\n\r?\n/);
  const [statusLine = '', ...lines] = head.split(/\r?\n/);
  const [, status] = /^HTTP\/[\d.]+ (\d{3})\b/.exec(statusLine) ?? [];
  if (status === undefined) throw new TypeError(`not a recorded HTTP response: ${statusLine}`);
  const headers = Object.fromEntries(
    lines.flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]] : [];
    }),
  );
  return { status: Number(status), headers, body: jsonOrText(rest.join('\n\n').trim()) };
}

function jsonOrText(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * A recorded body with `values` filled in. Objects are merged, so what the recording has and `values` lacks
 * stays; arrays take the recording's first element as the template of each of theirs. An undefined value removes a property.
 */
export function fillRecordedResponse(template: unknown, values: unknown): unknown {
  if (Array.isArray(values)) {
    const [first] = Array.isArray(template) ? (template as readonly unknown[]) : [];
    return values.map((value) => fillRecordedResponse(first, value));
  }
  if (!isObject(values)) return values;
  const base = isObject(template) ? template : {};
  const filled = Object.entries(values).map(
    ([name, value]) => [name, fillRecordedResponse(base[name], value)] as const,
  );
  const merged = Object.fromEntries([...Object.entries(base), ...filled]);
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
