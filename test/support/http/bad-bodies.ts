import * as fc from 'fast-check';
import { PLAUSIBLE_TEXTS, RAW_NUMBERS, json, member, number, text } from './odd-values';

type Json = unknown;

type Path = readonly (string | number)[];

/** The path of every nested value, including the value itself. */
function placesIn(value: Json, here: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [here];
  const inner = Object.entries(value).flatMap(([key, child]) =>
    placesIn(child, [...here, Array.isArray(value) ? Number(key) : key]),
  );
  return [here, ...inner];
}

function valueAt(value: Json, path: Path): Json {
  return path.reduce<Json>((inner, step) => (inner as Record<string | number, Json>)[step], value);
}

/** A different value of the same JSON type: the right shape, possibly the wrong meaning. */
function sameKind(value: Json): fc.Arbitrary<Json> {
  if (typeof value === 'string') return fc.oneof(fc.constantFrom(...PLAUSIBLE_TEXTS), text);
  if (typeof value === 'number') return number;
  if (typeof value === 'boolean') return fc.boolean();
  return Array.isArray(value)
    ? fc.array(fc.oneof(fc.constantFrom(...PLAUSIBLE_TEXTS, ...(value as Json[])), text), {
        maxLength: 60,
        size: 'max',
      })
    : fc.constant(value);
}

function changedAt(value: Json, [step, ...rest]: Path, change: (old: Json) => Json): Json {
  if (step === undefined) return change(value);
  const inner = (value as Record<string | number, Json>)[step];
  if (Array.isArray(value))
    return value.map((item: Json, index) => (index === step ? changedAt(item, rest, change) : item));
  return withMember(value as object, String(step), changedAt(inner, rest, change));
}

/** Also works for the member name __proto__. */
function withMember(value: object, name: string, content: Json): object {
  const entries = Object.entries(value).filter(([key]) => key !== name);
  return Object.fromEntries([...entries, [name, content]]);
}

const nested = (depth: number) =>
  fc.constantFrom(`${'['.repeat(depth)}${']'.repeat(depth)}`, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

/** Request bodies as text: mutated valid bodies, random JSON and malformed JSON. */
export function bodyText(good: readonly object[]): fc.Arbitrary<string | Buffer> {
  const arbitrary = json.map((value) => JSON.stringify(value));
  const broken = fc.oneof(
    fc.string(),
    fc.uint8Array({ maxLength: 64 }).map((octets) => Buffer.from(octets)),
    fc.constantFrom('', '{', '{"a":}', '\ufeff{}', "{'a':1}", '{}{}'),
    nested(10),
    nested(20_000),
  );
  if (good.length === 0) return fc.oneof(arbitrary, broken);
  const place = fc
    .constantFrom(...good)
    .chain((body) => fc.tuple(fc.constant(body), fc.constantFrom(...placesIn(body))));
  const likely = place.chain(([body, path]) =>
    sameKind(valueAt(body, path)).map((value) => JSON.stringify(changedAt(body, path, () => value))),
  );
  const changed = fc
    .tuple(place, json)
    .map(([[body, path], value]) => JSON.stringify(changedAt(body, path, () => value)));
  const added = fc
    .tuple(fc.constantFrom(...good), member, json)
    .map(([body, name, value]) => JSON.stringify(withMember(body, name, value)));
  const addedInside = fc
    .tuple(place, member, json)
    .map(([[body, path], name, value]) =>
      JSON.stringify(
        changedAt(body, path, (old) =>
          typeof old === 'object' && old !== null && !Array.isArray(old) ? withMember(old, name, value) : [old],
        ),
      ),
    );
  const removed = fc
    .constantFrom(...good)
    .chain((body) => fc.subarray(Object.entries(body)).map((entries) => JSON.stringify(Object.fromEntries(entries))));
  const duplicated = fc.tuple(fc.constantFrom(...good), member, json, json).map(([body, extra, first, second]) => {
    const name = JSON.stringify(Object.keys(body)[0] ?? extra);
    return `{${name}:${JSON.stringify(first)},${JSON.stringify(body).slice(1, -1)},${name}:${JSON.stringify(second)}}`;
  });
  const extremeNumber = fc
    .tuple(place, fc.constantFrom(...RAW_NUMBERS))
    .map(([[body, path], digits]) =>
      JSON.stringify(changedAt(body, path, () => '\u0001')).replace('"\\u0001"', digits),
    );
  return fc.oneof(
    { weight: 12, arbitrary: likely },
    { weight: 4, arbitrary: changed },
    { weight: 1, arbitrary: added },
    { weight: 2, arbitrary: addedInside },
    { weight: 1, arbitrary: removed },
    { weight: 2, arbitrary: duplicated },
    { weight: 1, arbitrary: extremeNumber },
    { weight: 1, arbitrary: arbitrary },
    { weight: 1, arbitrary: broken },
  );
}

const ODD_LINES = [
  '',
  ' ',
  '@',
  '(',
  ')',
  '"',
  '\\',
  '\0',
  '\r',
  ';',
  '$ORIGIN',
  '$ORIGIN .',
  '$ORIGIN example.net.',
  '$TTL',
  '$TTL 1w2d',
  '$TTL -1',
  '$INCLUDE /etc/passwd',
  '$GENERATE 1-99999999 a$ A 192.0.2.$',
  'www A 192.0.2.1',
  'www 300 IN A',
  'www 300 CH A 192.0.2.1',
  '* TXT "',
  `a TXT "${'x'.repeat(300)}"`,
  'a TXT "\\999"',
  'b CNAME @',
  '@ CNAME b',
  '@ NS ns1',
  '@ SOA ( 1',
  'c TYPE65280 \\# 1 00',
  '\t300\tA\t192.0.2.1',
  `${'a.'.repeat(200)} A 192.0.2.1`,
  'd 99999999999 A 192.0.2.1',
  'e MX 10 .',
  'f SRV 0 0 0 .',
  '__proto__ A 192.0.2.1',
  'constructor TXT toString',
];

/** Zone files that mix valid and malformed lines. */
export function fileText(good: readonly string[]): fc.Arbitrary<string | Buffer> {
  const goodLines = good.flatMap((file) => file.split('\n'));
  const line = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...goodLines) },
    { weight: 3, arbitrary: fc.constantFrom(...ODD_LINES) },
    { weight: 1, arbitrary: text },
  );
  const lines = fc.array(line, { maxLength: 30 }).map((all) => all.join('\n'));
  return fc.oneof(
    { weight: 8, arbitrary: lines },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((octets) => Buffer.from(octets)) },
  );
}
