import { randomUUID } from 'node:crypto';
import type { AuthCode } from '../../../../application/ports/registry/registry-port';
import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type {
  LedgerEntry,
  RegistryFault,
  RegistrySandbox,
  TransferDecision,
} from '../../../../application/ports/registry/registry-sandbox';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { FaultInjector } from './fault-injector';
import { toLedgerEntry } from './port-mapping';
import type { Outcome, Registration } from './registration';
import { createAuthCode, digestOf, type DecisionContext, type RegistryCore } from './registry-core';
import type { RegistryStore } from './store/registry-store';
import { minorPricesOf } from './offers/tld-offer';
import { approveTransfer, endTransfer, pendingTransferOf, requestTransfer } from './transfers';

/** The other registrar of the sandbox. */
const OTHER_REGISTRAR = 'another';
const OTHER_NAMESERVERS = ['ns1.other-registrar.example', 'ns2.other-registrar.example'];

/** The controls of the simulated registry. The other registrar has no queue that anyone reads, and meets no faults. */
export class SimulatedSandbox implements RegistrySandbox {
  constructor(
    private readonly core: RegistryCore,
    private readonly store: RegistryStore,
    private readonly faultInjector: FaultInjector,
    private readonly registrar: string,
  ) {}

  async time(): Promise<Date> {
    return this.core.time();
  }

  async advance(days: number): Promise<Date> {
    return this.core.advance(days);
  }

  async injectFault(fault: RegistryFault): Promise<void> {
    await this.faultInjector.inject(fault);
  }

  async faults(): Promise<readonly RegistryFault[]> {
    return this.faultInjector.all();
  }

  async clearFaults(): Promise<void> {
    await this.faultInjector.clear();
  }

  async registerElsewhere(name: DomainName, { locked = false } = {}): Promise<AuthCode> {
    const offered = this.core.offerFor(name);
    const years = offered.years.min;
    const { code, digest, expiresAt } = createAuthCode(await this.core.time(), offered.periods.authCode);
    await this.core.create(
      {
        name: name.value,
        years,
        registrant: null,
        nameservers: OTHER_NAMESERVERS,
        transferLocked: locked,
        authCode: { digest, expiresAt },
        price: minorPricesOf(offered, name).registration(years),
      },
      asOther(),
    );
    return { code, expiresAt };
  }

  async transferOut(name: DomainName, authCode: string): Promise<Date> {
    const registration = await this.decide(name, (facts) => requestTransfer(facts, digestOf(authCode)));
    return pendingTransferOf(registration).endsAt;
  }

  async decideElsewhere(name: DomainName, decision: TransferDecision): Promise<void> {
    await this.decide(name, (facts) => {
      const { gaining } = pendingTransferOf(facts.held);
      if ((decision === 'cancel' ? gaining : facts.held.sponsor) !== OTHER_REGISTRAR)
        throw new RegistryRejected('not_held', `The other registrar cannot ${decision} the transfer of ${name.value}`);
      return decision === 'approve'
        ? approveTransfer(facts)
        : endTransfer(facts, decision === 'reject' ? 'rejected' : 'cancelled');
    });
  }

  async ledger(name?: DomainName): Promise<readonly LedgerEntry[]> {
    await this.core.applyDue();
    const charges = await this.store.read((records) => records.charges(this.registrar, name?.value));
    return charges.map(toLedgerEntry);
  }

  private async decide(name: DomainName, decide: (facts: DecisionContext) => Outcome): Promise<Registration> {
    const registration = await this.core.decide(name, asOther(), decide);
    if (!registration) throw new TypeError(`${name.value} is not registered`);
    return registration;
  }
}

function asOther(): { readonly registrar: string; readonly transactionId: string } {
  return { registrar: OTHER_REGISTRAR, transactionId: randomUUID() };
}
