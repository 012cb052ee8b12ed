import { setTimeout as sleep } from 'node:timers/promises';
import {
  RegistryRejected,
  RegistryUnavailable,
  RegistryInconclusive,
} from '../../../../application/ports/registry/registry-errors';
import { REGISTRY_FAULTS, type RegistryFault } from '../../../../application/ports/registry/registry-sandbox';
import type { RegistryStore, StoredFault } from './registry-store';

/** Faults that were ordered, kept in the registry's store, so that every process and every restart meets them. */
export class Faults {
  constructor(private readonly store: RegistryStore) {}

  async inject({ kind, target, times, milliseconds }: RegistryFault): Promise<void> {
    const fault = {
      kind,
      target: target?.toLowerCase() ?? null,
      remaining: times ?? null,
      milliseconds: milliseconds ?? 0,
    };
    await this.store.change((records) => records.addFault(fault));
  }

  async all(): Promise<readonly RegistryFault[]> {
    const stored = await this.store.read((records) => records.faults());
    return stored.flatMap(({ kind, target, remaining, milliseconds }) => {
      if (!isOurs(kind)) return [];
      return {
        kind,
        ...(target !== null && { target }),
        ...(remaining !== null && { times: remaining }),
        ...(kind === 'latency' && { milliseconds }),
      };
    });
  }

  async clear(): Promise<void> {
    await this.store.change((records) => records.clearFaults());
  }

  /** Asks a question about `names`: it can be late or fail, it cannot be refused. */
  async ask<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    await this.meet(names, ['latency', 'outage']);
    return work();
  }

  /** Carries out a command on `name` (or on none): whatever can happen to a command can happen to it. */
  async command<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
    const fault = await this.meet(name === undefined ? [] : [name], ['latency', 'outage', 'refuse', 'lose_answer']);
    if (fault === 'refuse') throw new RegistryRejected('policy', 'The sandbox was told to refuse this command');
    const answer = await work();
    if (fault === 'lose_answer') throw new RegistryUnavailable('The answer of the registry was lost');
    return answer;
  }

  /** Waits out every latency in the way, then answers the first other fault. @throws RegistryUnavailable in an outage */
  private async meet(
    names: readonly string[],
    kinds: readonly StoredFault['kind'][],
  ): Promise<StoredFault['kind'] | undefined> {
    const all = await this.store.read((records) => records.faults());
    for (const fault of all) {
      if (!kinds.includes(fault.kind) || !meets(fault, names) || !(await this.use(fault))) continue;
      if (fault.kind === 'outage') throw outage(fault);
      if (fault.kind !== 'latency') return fault.kind;
      await sleep(fault.milliseconds);
    }
    return undefined;
  }

  private async use({ id, remaining }: StoredFault): Promise<boolean> {
    return remaining === null || this.store.change((records) => records.useFault(id));
  }
}

/** One TLD or name that is out of order leaves the rest of the registry as it is. */
function outage({ target }: StoredFault): RegistryUnavailable {
  return target === null
    ? new RegistryUnavailable('The registry does not answer')
    : new RegistryInconclusive(`The registry does not answer for ${target}`);
}

/** And not of the EPP front. */
function isOurs(kind: StoredFault['kind']): kind is RegistryFault['kind'] {
  return REGISTRY_FAULTS.some((known) => known === kind);
}

function meets({ target }: StoredFault, names: readonly string[]): boolean {
  return target === null || names.some((name) => name === target || name.slice(name.indexOf('.') + 1) === target);
}
