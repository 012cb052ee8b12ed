import type { RegistryFault } from '../../../../application/ports/registry/registry-sandbox';
import type { WireFault, RegistryStore, StoredFault } from '../simulated/store/registry-store';

export const WIRE_FAULTS = [
  'drop_before',
  'drop_after',
  'delay',
  'failure',
  'session_limit',
  'malformed',
  'idle_close',
  'redeliver',
  'refusal',
] as const satisfies readonly WireFault[];

/** How the EPP server applies the faults of the sandbox API. */
const WIRE_FAULT_OF: Readonly<Record<RegistryFault['kind'], WireFault>> = {
  latency: 'delay',
  outage: 'drop_before',
  lose_answer: 'drop_after',
  refuse: 'refusal',
};
/** Faults that do not apply to queries, so that a search does not use them up. */
const TRANSFORMS_ONLY: ReadonlySet<StoredFault['kind']> = new Set(['lose_answer', 'refuse']);

interface FaultableCommand {
  /** What a fault's target can be: see `targetsOf`. */
  readonly targets: readonly string[];
  /** Whether it is a transform command. */
  readonly transforms: boolean;
}

/** Faults of the EPP server. Stored, so that `npm run registry -- fault` can inject them into a running server. */
export class WireFaults {
  constructor(private readonly store: RegistryStore) {}

  /** `target`: a TLD, a name or a command (`login`, `domain:create`, `poll:ack`); all commands if absent. */
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

  /** Returns the faults that apply to a command, and decrements their remaining uses. */
  async consume({ targets, transforms }: FaultableCommand): Promise<ReadonlyMap<WireFault, StoredFault>> {
    const active = new Map<WireFault, StoredFault>();
    for (const fault of await this.store.read((records) => records.faults())) {
      const kind = toWireFault(fault.kind);
      if (
        active.has(kind) ||
        !(fault.target === null || targets.includes(fault.target)) ||
        (TRANSFORMS_ONLY.has(fault.kind) && !transforms)
      )
        continue;
      if (fault.remaining === null || (await this.store.change((records) => records.useFault(fault.id))))
        active.set(kind, fault);
    }
    return active;
  }
}

function toWireFault(kind: StoredFault['kind']): WireFault {
  return WIRE_FAULTS.find((candidate) => candidate === kind) ?? WIRE_FAULT_OF[kind as RegistryFault['kind']];
}
