import type { Clock } from '../../../../application/ports/system/clock';
import { RegistryRejected, RegistryUnavailable } from '../../../../application/ports/registry/registry-errors';
import type { ChargedDomain } from '../../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../../domain/registration/domain-name';
import type { Money } from '../../../../domain/shared/money';
import { charged } from '../charged';
import type { CommandIds } from '../session/command-ids';
import type { EppClient } from '../session/epp-client';
import type { EppDomains } from './epp-domains';
import type { EppOffers } from './epp-offers';
import { reportRestore, requestRestore } from '../mapping/domain-commands';
import type { DomainInfo } from '../mapping/domain-data';
import { chargedFee } from '../mapping/fee';
import { rejectionOf, succeeded } from '../mapping/result-codes';

/** Restores by RFC 3915: a request, and a report where the registry then waits for one. */
export class EppRestores {
  constructor(
    private readonly client: EppClient,
    private readonly domains: EppDomains,
    private readonly offers: EppOffers,
    private readonly clock: Clock,
  ) {}

  /** A restore whose report was lost goes on with the report. Once it was requested, and charged for, nothing is a rejection any more. */
  async restore(name: DomainName, price: Money, ids: CommandIds): Promise<ChargedDomain> {
    const before = await this.domains.own(name);
    let fee: Money | undefined;
    if (before.graceStatuses.has('redemptionPeriod')) fee = await this.request(name, price, ids);
    else if (!before.graceStatuses.has('pendingRestore'))
      throw new RegistryRejected('status', `${name.value} is not in its redemption period`);
    try {
      const after = await this.domains.own(name);
      if (after.graceStatuses.has('pendingRestore')) await this.report(name, before, after, ids);
    } catch (error) {
      if (error instanceof RegistryRejected) throw new RegistryUnavailable(error.details, undefined, { cause: error });
      throw error;
    }
    return charged(await this.domains.afterwards(name), fee);
  }

  /** What was charged, where the response says so. */
  private async request(name: DomainName, price: Money, ids: CommandIds): Promise<Money | undefined> {
    const agreed = await this.offers.agreed(name, 'restore', 1, price);
    const response = await this.client.ask(requestRestore(name.value, agreed), ids.deciding());
    if (!succeeded(response)) throw (await this.offers.objection(name, 'restore', 1, agreed)) ?? rejectionOf(response);
    return chargedFee(response.extension, 'updData', agreed);
  }

  private async report(name: DomainName, before: DomainInfo, after: DomainInfo, ids: CommandIds): Promise<void> {
    const now = this.clock.now();
    const report = {
      before: inWords(before),
      after: inWords(after),
      deletedAt: before.updatedAt ?? now,
      restoredAt: after.updatedAt ?? now,
    };
    const response = await this.client.ask(reportRestore(name.value, report), ids.beside());
    if (!succeeded(response)) throw rejectionOf(response);
  }
}

/** The registration data of a restore report: what the registry says of the domain. */
function inWords({ name, sponsor, registrant, expiresAt, delegation }: DomainInfo): string {
  const facts = [
    `Domain: ${name}`,
    `Sponsor: ${sponsor ?? ''}`,
    `Registrant: ${registrant ?? ''}`,
    `Expiry: ${expiresAt?.toISOString() ?? ''}`,
  ];
  return [...facts, `Nameservers: ${delegation.map(({ host }) => host).join(' ')}`].join('; ');
}
