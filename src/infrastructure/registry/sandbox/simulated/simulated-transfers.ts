import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type {
  RegistryTransfer,
  RegistryTransfers,
  TransferRequest,
} from '../../../../application/ports/registry/registry-transfers';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { RegistrationTerm } from '../../../../domain/registration/registration-term';
import type { Money } from '../../../../domain/shared/money';
import { minorUnits, renewalPrices, toTransfer } from './port-mapping';
import type { Outcome, Registration } from './registration';
import { digestOf, type DecisionContext, type RegistryCore } from './registry-core';
import type { SimulatedCalls } from './simulated-calls';
import type { TldOffer } from './offers/tld-offer';
import { approveTransfer, endTransfer, pendingTransferOf, requestTransfer } from './transfers';

/** Transfers to and from us. A transfer adds the TLD's shortest term at the renewal fee, charged on completion. */
export class SimulatedTransfers implements RegistryTransfers {
  constructor(
    private readonly core: RegistryCore,
    private readonly calls: SimulatedCalls,
  ) {}

  async transferPrice(name: DomainName, term?: RegistrationTerm): Promise<Money> {
    return this.calls.query([name], async () => {
      const offered = this.core.offerFor(name);
      assertTransferTerm(term, offered);
      return renewalPrices(offered, name).renewal;
    });
  }

  async requestTransfer({
    name,
    term,
    registrant,
    authCode,
    price,
    transactionId,
  }: TransferRequest): Promise<RegistryTransfer> {
    return this.decide(name, transactionId, (facts) => {
      assertTransferTerm(term, facts.offered);
      const outcome = requestTransfer(facts, digestOf(authCode), registrant);
      if (facts.prices.renewal(term.years) !== minorUnits(price))
        throw new RegistryRejected('price_changed', `The transfer price of ${name.value} has changed`);
      return outcome;
    });
  }

  async transferStatus(name: DomainName): Promise<RegistryTransfer | undefined> {
    const held = await this.calls.find(name);
    return held && toTransfer(held, this.calls.registrar);
  }

  async cancelTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.decide(name, transactionId, (facts) => {
      if (pendingTransferOf(facts.held).gaining !== this.calls.registrar)
        throw new RegistryRejected('not_held', `Another registrar has requested the transfer of ${name.value}`);
      return endTransfer(facts, 'cancelled');
    });
  }

  async approveTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.toPort(name, await this.calls.change(name, transactionId, approveTransfer));
  }

  async rejectTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.toPort(name, await this.calls.change(name, transactionId, (facts) => endTransfer(facts, 'rejected')));
  }

  /** A command that others than the sponsor may send. */
  private async decide(
    name: DomainName,
    transactionId: string,
    decide: (facts: DecisionContext) => Outcome,
  ): Promise<RegistryTransfer> {
    const work = async () => this.core.decide(name, this.calls.sender(transactionId), decide);
    return this.toPort(name, await this.calls.command(name, work));
  }

  private toPort({ value }: DomainName, held: Registration | undefined): RegistryTransfer {
    const transfer = held && toTransfer(held, this.calls.registrar);
    if (!transfer) throw new TypeError(`${value} has no transfer`);
    return transfer;
  }
}

function assertTransferTerm(term: RegistrationTerm | undefined, { suffix, renewalYears: { min } }: TldOffer): void {
  if (term && term.years !== min)
    throw new RegistryRejected('policy', `A transfer under .${suffix} adds ${min} ${min === 1 ? 'year' : 'years'}`);
}
