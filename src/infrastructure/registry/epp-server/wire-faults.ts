import type { FrontFault, RegistryStore, StoredFault } from '../simulated/registry-store';

export const FRONT_FAULTS = ['drop_before', 'drop_after', 'delay', 'failure', 'crowded', 'malformed', 'idle_close', 'twice'] as const satisfies readonly FrontFault[];

/** Faults of the wire that were ordered; kept in the registry's store, so that a command line orders them of a server that runs. */
export class WireFaults {
  constructor(private readonly store: RegistryStore) {}

  /** `target` is a TLD, a name, or a command (`login`, `domain:create`, `poll:ack`); everything where absent. */
  async inject({ kind, target, times, milliseconds }: { kind: FrontFault; target?: string; times?: number; milliseconds?: number }): Promise<void> {
    await this.store.change((records) => records.addFault({ kind, target: target?.toLowerCase() ?? null, remaining: times ?? null, milliseconds: milliseconds ?? 0 }));
  }

  async clear(): Promise<void> {
    await this.store.change((records) => records.clearFaults());
  }

  /** Uses up the faults that meet a command which is known by any of `marks`. */
  async meet(marks: readonly string[]): Promise<ReadonlyMap<FrontFault, StoredFault>> {
    const met = new Map<FrontFault, StoredFault>();
    for (const fault of await this.store.read((records) => records.faults())) {
      const kind = FRONT_FAULTS.find((candidate) => candidate === fault.kind);
      if (!kind || met.has(kind) || !(fault.target === null || marks.includes(fault.target))) continue;
      if (fault.remaining === null || (await this.store.change((records) => records.useFault(fault.id)))) met.set(kind, fault);
    }
    return met;
  }
}
