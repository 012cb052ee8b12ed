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

/** The JSON in pieces: one for each member of an object, nested ones included, or entry of a list; more of an entry of a short list. */
export function* jsonTexts(value: unknown): Generator<string> {
  if (isList(value)) {
    const isShort = Array.isArray(value) && value.length <= SHORT_LIST;
    let before = '[';
    for (const entry of value) {
      if (isShort) {
        yield before;
        yield* jsonTexts(entry);
      } else yield before + (JSON.stringify(entry) ?? 'null');
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else if (isPlain(value)) {
    let before = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonTexts(member);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield JSON.stringify(value) ?? 'null';
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** An object with `toJSON`, such as a Date, defines its own JSON. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}
