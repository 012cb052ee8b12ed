import type { RegistryContext } from '../infrastructure/registry/registry-adapter';

/** What the service would start an adapter with: real time, a log that says nothing, US dollars. */
export function contextFor({
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
    beside: { kind: 'sqlite', file: 'data/namewright.db' },
  };
}
