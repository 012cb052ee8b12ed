import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainName } from '../../../../domain/registration/domain-name';
import type { FaultInjector } from './fault-injector';

/** Runs the calls of the port after the simulated latency, with the injected faults. */
export class SimulatedCalls {
  constructor(
    private readonly faults: FaultInjector,
    private readonly latencyMs: number,
  ) {}

  async query<T>(names: readonly DomainName[], work: () => Promise<T>): Promise<T> {
    await this.waitLatency();
    return this.faults.runQuery(
      names.map(({ value }) => value),
      work,
    );
  }

  async command<T>(name: DomainName | undefined, work: () => Promise<T>): Promise<T> {
    await this.waitLatency();
    return this.faults.runCommand(name?.value, work);
  }

  private async waitLatency(): Promise<void> {
    if (this.latencyMs > 0) await sleep(this.latencyMs);
  }
}
