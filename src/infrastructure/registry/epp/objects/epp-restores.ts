import type { Clock } from '../../../../application/ports/system';
import { RegistryRejected, RegistryUnavailable } from '../../../../application/ports/registry/registry-errors';
import type { ChargedDomain } from '../../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { Money } from '../../../../domain/shared/money';
import type { CommandIds } from '../session/command-ids';
import type { EppClient } from '../session/epp-client';
import type { EppDomains } from './epp-domains';
import type { EppPricing } from './epp-pricing';
import { reportRestore, requestRestore } from '../mapping/commands/domain-commands';
import type { DomainInfo } from '../mapping/domain-data';
import { chargedFee } from '../mapping/fee';
import { rejectionOf, isSuccess } from '../mapping/result-codes';

/** RGP restores (RFC 3915): a restore request, and a restore report if the registry then requires one. */
export class EppRestores {
  constructor(
    private readonly client: EppClient,
    private readonly domains: EppDomains,
    private readonly pricing: EppPricing,
    private readonly clock: Clock,
  ) {}

  /** Completes a restore in `pendingRestore` with its report. After the request nothing is a rejection: it was charged. */
  async restore(name: DomainName, price: Money, ids: CommandIds): Promise<ChargedDomain> {
    const before = await this.domains.requireSponsored(name);
    let fee: Money | undefined;
    if (before.graceStatuses.has('redemptionPeriod')) fee = await this.request(name, price, ids);
    else if (!before.graceStatuses.has('pendingRestore'))
      throw new RegistryRejected('status', `${name.value} is not in its redemption period`);
    try {
      const after = await this.domains.requireSponsored(name);
      if (after.graceStatuses.has('pendingRestore')) await this.report(name, before, after, ids);
    } catch (error) {
      if (error instanceof RegistryRejected) throw new RegistryUnavailable(error.details, undefined, { cause: error });
      throw error;
    }
    return this.domains.readBack(name, fee);
  }

  /** Returns the charged fee, if the response has one. */
  private async request(name: DomainName, price: Money, ids: CommandIds): Promise<Money | undefined> {
    const agreedPrice = await this.pricing.confirmPrice(name, 'restore', 1, price);
    const response = await this.client.send(requestRestore(name.value, agreedPrice), ids.main());
    if (!isSuccess(response)) {
      // An earlier request, whose response was lost, may have arrived in the meantime: then its report is due.
      const { graceStatuses } = await this.domains.requireSponsored(name);
      if (graceStatuses.has('pendingRestore')) return undefined;
      throw (await this.pricing.diagnoseRejection(name, 'restore', 1, agreedPrice)) ?? rejectionOf(response);
    }
    return chargedFee(response.extension, 'updData', agreedPrice);
  }

  private async report(name: DomainName, before: DomainInfo, after: DomainInfo, ids: CommandIds): Promise<void> {
    const now = this.clock.now();
    const report = {
      before: registrationData(before),
      after: registrationData(after),
      deletedAt: before.updatedAt ?? now,
      restoredAt: after.updatedAt ?? now,
    };
    const response = await this.client.send(reportRestore(name.value, report), ids.additional());
    if (!isSuccess(response)) throw rejectionOf(response);
  }
}

/** The registration data of a restore report (RFC 3915 section 4.2.5). */
function registrationData({ name, sponsor, registrant, expiresAt, delegation }: DomainInfo): string {
  const facts = [
    `Domain: ${name}`,
    `Sponsor: ${sponsor ?? ''}`,
    `Registrant: ${registrant ?? ''}`,
    `Expiry: ${expiresAt?.toISOString() ?? ''}`,
  ];
  return [...facts, `Nameservers: ${delegation.map(({ host }) => host).join(' ')}`].join('; ');
}
