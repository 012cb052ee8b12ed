import type { RegistryContext } from '../infrastructure/registry/registry-adapter';

/** A context like the service's, for tests: real time, a silent log, US dollars. */
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
    mainDatabase: { kind: 'sqlite', file: 'data/namewright.db' },
  };
}
