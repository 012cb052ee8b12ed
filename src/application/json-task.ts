import type { CooperativeTask } from './run-cooperatively';

/** The result of `JSON.stringify` in steps: one for each member of an object or entry of a list. */
export function* jsonTask(value: unknown): CooperativeTask<string> {
  if (isList(value)) return `[${(yield* entries(value)).join(',')}]`;
  if (isPlain(value)) return `{${(yield* members(value)).join(',')}}`;
  return JSON.stringify(value) ?? 'null';
}

function* entries(list: Iterable<unknown>): CooperativeTask<readonly string[]> {
  const texts: string[] = [];
  for (const entry of list) {
    yield;
    texts.push(JSON.stringify(entry) ?? 'null');
  }
  return texts;
}

function* members(object: object): CooperativeTask<readonly string[]> {
  const texts: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    yield;
    if (value !== undefined) texts.push(`${JSON.stringify(name)}:${yield* jsonTask(value)}`);
  }
  return texts;
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** A Date, for one, knows better itself. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}
