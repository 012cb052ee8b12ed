import type { RegistryFault } from '../../../../application/ports/registry/registry-sandbox';
import type { WireFault, RegistryStore, StoredFault } from '../simulated/registry-store';

export const WIRE_FAULTS = [
  'drop_before',
  'drop_after',
  'delay',
  'failure',
  'crowded',
  'malformed',
  'idle_close',
  'twice',
  'refusal',
] as const satisfies readonly WireFault[];

/** What the faults that every simulated registry knows come to on the wire. */
const ON_THE_WIRE: Readonly<Record<RegistryFault['kind'], WireFault>> = {
  latency: 'delay',
  outage: 'drop_before',
  lose_answer: 'drop_after',
  refuse: 'refusal',
};
/** They leave alone what only reads, so that a search does not use them up. */
const OF_TRANSFORMS: ReadonlySet<StoredFault['kind']> = new Set(['lose_answer', 'refuse']);

/** What a fault can tell about a command. */
export interface MetCommand {
  readonly marks: readonly string[];
  /** Whether it changes anything. */
  readonly transforms: boolean;
}

/** Faults of the wire that were ordered; kept in the registry's store, so that a command line orders them of a server that runs. */
export class WireFaults {
  constructor(private readonly store: RegistryStore) {}

  /** `target` is a TLD, a name, or a command (`login`, `domain:create`, `poll:ack`); everything where absent. */
  async inject({
    kind,
    target,
    times,
    milliseconds,
  }: {
    kind: StoredFault['kind'];
    target?: string;
    times?: number;
    milliseconds?: number;
  }): Promise<void> {
    await this.store.change((records) =>
      records.addFault({
        kind,
        target: target?.toLowerCase() ?? null,
        remaining: times ?? null,
        milliseconds: milliseconds ?? 0,
      }),
    );
  }

  async clear(): Promise<void> {
    await this.store.change((records) => records.clearFaults());
  }

  /** Uses up the faults that meet a command: those whose target is any of its marks. */
  async meet({ marks, transforms }: MetCommand): Promise<ReadonlyMap<WireFault, StoredFault>> {
    const met = new Map<WireFault, StoredFault>();
    for (const fault of await this.store.read((records) => records.faults())) {
      const kind = onTheWire(fault.kind);
      if (
        met.has(kind) ||
        !(fault.target === null || marks.includes(fault.target)) ||
        (OF_TRANSFORMS.has(fault.kind) && !transforms)
      )
        continue;
      if (fault.remaining === null || (await this.store.change((records) => records.useFault(fault.id))))
        met.set(kind, fault);
    }
    return met;
  }
}

function onTheWire(kind: StoredFault['kind']): WireFault {
  return WIRE_FAULTS.find((candidate) => candidate === kind) ?? ON_THE_WIRE[kind as RegistryFault['kind']];
}
