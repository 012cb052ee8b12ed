import { createHash } from 'node:crypto';
import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import type { AgreedRenewal, SelectedDomain } from '../../../domain/portfolio/bulk-job';
import { DomainName } from '../../../domain/shared/domain-name';
import { DEFAULT_YEARS } from '../../../domain/registration/registration-term';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import { knownTotal, type Money } from '../../../domain/shared/money';
import { ValidationError } from '../../../domain/shared/validation-error';
import { RenewDomain } from '../../registration/renew-domain';
import { reviewEach, type RefusedDomain } from './review-each';

/** Each needs the registry's price. */
export const MAX_REVIEWED_RENEWALS = 500;

interface RenewableDomain extends SelectedDomain {
  readonly agreed: AgreedRenewal;
}

export interface BulkRenewalReview {
  readonly years: number;
  readonly renewable: readonly RenewableDomain[];
  /** Those that cannot be renewed, and why. */
  readonly refused: readonly RefusedDomain[];
  /** Of the renewable ones; undefined without any. */
  readonly total: Money | undefined;
  /** Of the renewable ones with their prices and expiries, so that a confirmation covers exactly the renewals that were shown. */
  readonly digest: string;
}

/** Prices the renewal of many domains without storing anything. */
@injectable()
export class ReviewBulkRenewal {
  constructor(
    @inject(RenewDomain) private readonly renewDomain: RenewDomain,
    @inject(TldPolicies) private readonly policies: TldPolicies,
  ) {}

  /** @param wanted default: the shortest term that is sold for one of them. @throws ValidationError for too many domains */
  async execute(
    requester: Requester,
    domains: readonly SelectedDomain[],
    wanted: number | undefined,
  ): Promise<BulkRenewalReview> {
    if (domains.length > MAX_REVIEWED_RENEWALS)
      throw ValidationError.of('domains', `must be at most ${MAX_REVIEWED_RENEWALS} in one renewal`);
    const years = wanted ?? this.shortestTerm(domains);
    const { accepted: renewable, refused } = await reviewEach(
      requester.accountId,
      domains,
      async (domain): Promise<RenewableDomain> => {
        const order = await this.renewDomain.review({ ...requester, domainId: domain.domainId, years });
        return { ...domain, agreed: { price: order.price, expiresAt: order.domain.expiresAt.toISOString() } };
      },
    );
    const total = knownTotal(renewable.map(({ agreed }) => agreed.price));
    return { years, renewable, refused, total, digest: digestOf(renewable) };
  }

  private shortestTerm(domains: readonly SelectedDomain[]): number {
    const terms = domains.flatMap(({ name }) => {
      const policy = name === '' ? undefined : this.policies.forName(DomainName.fromState(name));
      return policy ? [policy.renewalYears.min] : [];
    });
    return terms.length === 0 ? DEFAULT_YEARS : Math.min(...terms);
  }
}

function digestOf(renewable: readonly RenewableDomain[]): string {
  const lines = renewable.map(({ domainId, agreed: { price, expiresAt } }) =>
    [domainId, price.minor, price.currency, expiresAt].join(' '),
  );
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('base64url');
}
