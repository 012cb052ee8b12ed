import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { FaultInjector } from './fault-injector';
import type { Outcome, Registration } from './registration';
import type { DecisionContext, RegistryCore, Sender } from './registry-core';

/** The calls of one registrar to the registry, after the simulated latency and with the injected faults. */
export class SimulatedCalls {
  constructor(
    private readonly core: RegistryCore,
    private readonly faults: FaultInjector,
    readonly registrar: string,
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

  async find(name: DomainName): Promise<Registration | undefined> {
    return this.query([name], async () => this.core.find(name));
  }

  /** A command of the sponsor. Returns the registration afterwards, if any. */
  async change(
    name: DomainName,
    transactionId: string,
    decide: (facts: DecisionContext) => Outcome,
  ): Promise<Registration | undefined> {
    return this.command(name, async () => this.core.command(name, this.sender(transactionId), decide));
  }

  sender(transactionId: string): Sender {
    return { registrar: this.registrar, transactionId };
  }

  private async waitLatency(): Promise<void> {
    if (this.latencyMs > 0) await sleep(this.latencyMs);
  }
}
