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

/** The JSON in pieces: one for each member of an object, nested ones included, or entry of a list. */
export function* jsonTexts(value: unknown): Generator<string> {
  if (isList(value)) {
    let before = '[';
    for (const entry of value) {
      yield before + (JSON.stringify(entry) ?? 'null');
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
