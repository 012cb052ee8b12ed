import { setTimeout as sleep } from 'node:timers/promises';
import {
  RegistryRejected,
  RegistryUnavailable,
  RegistryInconclusive,
} from '../../../../application/ports/registry/registry-errors';
import { REGISTRY_FAULTS, type RegistryFault } from '../../../../application/ports/registry/registry-sandbox';
import type { RegistryStore, StoredFault } from './store/registry-store';

/** Injects faults. They are stored, so they apply in every process and after a restart. */
export class FaultInjector {
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
      if (!isPortFault(kind)) return [];
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

  /** Runs a query on `names`, to which only latency and outage apply. */
  async runQuery<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    await this.consume(names, ['latency', 'outage']);
    return work();
  }

  /** Runs a command, to which every fault applies. */
  async runCommand<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
    const fault = await this.consume(name === undefined ? [] : [name], ['latency', 'outage', 'refuse', 'lose_answer']);
    if (fault === 'refuse') throw new RegistryRejected('policy', 'Rejected by a sandbox fault (refuse)');
    const result = await work();
    if (fault === 'lose_answer') throw new RegistryUnavailable("The registry's response was lost");
    return result;
  }

  /** Waits for each latency fault, then returns the first other one. @throws RegistryUnavailable in an outage */
  private async consume(
    names: readonly string[],
    kinds: readonly StoredFault['kind'][],
  ): Promise<StoredFault['kind'] | undefined> {
    const all = await this.store.read((records) => records.faults());
    for (const fault of all) {
      if (!kinds.includes(fault.kind) || !appliesTo(fault, names) || !(await this.use(fault))) continue;
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

/** An outage of one TLD or name must not open the circuit breaker of the registry. */
function outage({ target }: StoredFault): RegistryUnavailable {
  return target === null
    ? new RegistryUnavailable('The registry does not respond')
    : new RegistryInconclusive(`The registry does not respond for ${target}`);
}

/** Excludes faults that only the EPP server knows. */
function isPortFault(kind: StoredFault['kind']): kind is RegistryFault['kind'] {
  return REGISTRY_FAULTS.some((known) => known === kind);
}

function appliesTo({ target }: StoredFault, names: readonly string[]): boolean {
  return target === null || names.some((name) => name === target || name.slice(name.indexOf('.') + 1) === target);
}
