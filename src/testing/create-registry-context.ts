import type { RegistryContext, StoredValues } from '../infrastructure/registry/registry-adapter';

/** A context like the service's, for tests: real time, a silent log, US dollars. Keep it for `reopen`: it has the stored values. */
export function createRegistryContext({
  settings = {},
  tlds = ['com'],
}: { settings?: Readonly<Record<string, unknown>>; tlds?: readonly string[] } = {}): RegistryContext {
  return {
    name: 'under-test',
    settings,
    tlds: tlds.map((suffix) => ({ suffix })),
    clock: { now: () => new Date() },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    currency: 'USD',
    stored: createStoredValues(),
    mainDatabase: { kind: 'sqlite', file: 'data/namewright.db' },
  };
}

const MAX_KEY = 100;
const MAX_VALUE = 500;

/** Stored values in memory, with the limits of the service's. */
export function createStoredValues(): StoredValues {
  const values = new Map<string, string>();
  return {
    get: async (key) => values.get(key),
    put: async (key, value) => {
      if (key.length > MAX_KEY || value.length > MAX_VALUE)
        throw new RangeError(`a key has up to ${MAX_KEY} characters, a value up to ${MAX_VALUE}`);
      values.set(key, value);
    },
    remove: async (key) => void values.delete(key),
    list: async (prefix, limit) =>
      [...values.keys()]
        .filter((key) => key.startsWith(prefix))
        .toSorted()
        .slice(0, limit)
        .flatMap((key) => values.get(key) ?? []),
  };
}
