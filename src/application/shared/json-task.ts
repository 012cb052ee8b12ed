import type { CooperativeTask } from './run-cooperatively';

/** `JSON.stringify` in steps. */
export function* jsonTask(value: unknown): CooperativeTask<string> {
  let json = '';
  for (const text of jsonTexts(value)) {
    json += text;
    yield;
  }
  return json;
}

/** Entries of a longer list are short. */
const SHORT_LIST = 100;
const NONE: ReadonlySet<string> = new Set();

/**
 * The JSON in pieces: one for each member of an object, nested ones included, or entry of a list; more of an entry of a short list.
 * @param without names of members that are left out, at any depth
 */
export function* jsonTexts(value: unknown, without: ReadonlySet<string> = NONE): Generator<string> {
  if (isList(value)) {
    const replacer =
      without === NONE ? undefined : (name: string, member: unknown) => (without.has(name) ? undefined : member);
    const isShort = Array.isArray(value) && value.length <= SHORT_LIST;
    let before = '[';
    for (const entry of value) {
      if (isShort) {
        yield before;
        yield* jsonTexts(entry, without);
      } else yield before + (JSON.stringify(entry, replacer) ?? 'null');
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else if (isPlain(value)) {
    let before = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined || without.has(name)) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonTexts(member, without);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield JSON.stringify(value) ?? 'null';
}

export function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** An object with `toJSON`, such as a Date, defines its own JSON. */
export function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}
