import type { RequestTransferCommand } from '../../../src/application/transfers/transfer-orders';
import type { DomainState } from '../../../src/domain/registration/domain';
import type { TransferState } from '../../../src/domain/registration/transfers/transfer-state';
import { A_REGISTRANT } from '../data/a-domain';
import { closeScenarios, openScenario, pass, RegistrationScenario } from './registration-scenario';
import { OURS, type UseCaseContext } from './use-case-context';

export const HOUR_MS = 3_600_000;
export const NAME = 'elsewhere.com';
export const CODE = 'Sesame-0pen!';
export const COMMAND: RequestTransferCommand = { ...OURS, name: NAME, authCode: CODE, registrant: A_REGISTRANT };

/** A process that transfers `NAME` from another registrar. */
export class TransferScenario {
  readonly around: UseCaseContext;
  readonly scenario: RegistrationScenario;
  private running: RegistrationScenario;

  constructor() {
    ({ around: this.around, scenario: this.scenario } = openScenario());
    this.running = this.scenario;
    this.around.registry.holdElsewhere(NAME, CODE, { nameservers: ['ns1.other.net', 'ns2.other.net'] });
    this.scenario.transfers.start();
  }

  transfers(): readonly TransferState[] {
    return [...this.around.storage.tables.transfers.values()];
  }

  /** The types of the account's events about the transfer. */
  events(): readonly string[] {
    const events = [...this.around.storage.tables.events.values()].flat();
    return events.map(({ type }) => type).filter((type) => type.startsWith('transfer.'));
  }

  domains(): readonly DomainState[] {
    return [...this.around.storage.tables.domains.values()];
  }

  /** How many requests the registry has received. */
  sent(): number {
    return this.around.registry.callsOf('requestTransfer').length;
  }

  /** How many transfers the registry has charged. */
  paid(): number {
    return this.around.registry.charges.filter(({ kind }) => kind === 'transfer').length;
  }

  /** Completes the transfer at the registry, and lets the service poll it. */
  async complete(): Promise<void> {
    if (this.sent() > 0) this.around.registry.endTransfer(NAME, 'completed');
    await pass(this.around, HOUR_MS + 2_000);
  }

  /** Kills the process and starts another one. */
  restart(): void {
    jest.clearAllTimers();
    this.running = new RegistrationScenario(this.around);
    this.running.runner.start();
    this.running.transfers.start();
  }

  close(): Promise<void> {
    return closeScenarios(this.around, this.running);
  }
}
