import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { delegationOf } from '../../../domain/dns/delegation/delegation';
import { assertAllowed } from '../../../domain/registration/domain-status';
import { FindDomain } from '../../registration/find-domain';
import { RegistrationSettings } from '../../registration/registration-settings';
import { ChangeNameservers } from '../../registration/settings/change-nameservers';
import { reviewEach, type RefusedDomain } from './review-each';
import type { SelectedDomain } from '../../../domain/portfolio/bulk-job';

interface ReviewedDomain {
  readonly domain: SelectedDomain;
  readonly from: readonly string[];
  /** The change breaks the chain of trust: the zone is signed here, and the new nameservers do not have its keys. */
  readonly isSigned: boolean;
}

export interface BulkNameserverReview {
  /** Those that change, by the nameservers that they have, the most first. Signed ones are not among them. */
  readonly groups: readonly { readonly from: readonly string[]; readonly domains: readonly SelectedDomain[] }[];
  /** Those that would change, and whose answers resolvers would then reject. */
  readonly signed: readonly SelectedDomain[];
  readonly unchanged: readonly SelectedDomain[];
  readonly refused: readonly RefusedDomain[];
  /** How many of those in `groups` are looked up at our nameservers today and will not be, and the other way around. */
  readonly leaving: number;
  readonly joining: number;
}

/** Shows what a change of the nameservers of many domains does to each. Stores nothing, and sends nothing to a registry. */
@injectable()
export class ReviewBulkNameservers {
  constructor(
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ChangeNameservers) private readonly changeNameservers: ChangeNameservers,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
  ) {}

  async execute(
    requester: Requester,
    domains: readonly SelectedDomain[],
    hosts: readonly string[],
  ): Promise<BulkNameserverReview> {
    const { accepted, refused } = await reviewEach(
      requester.accountId,
      domains,
      async (domain): Promise<ReviewedDomain> => {
        const state = (await this.findDomain.byId({ ...requester, domainId: domain.domainId }, 'settings')).toState();
        assertAllowed(state.status, 'change nameservers');
        const { warnings } = await this.changeNameservers.review(state, hosts);
        return { domain, from: state.nameservers, isSigned: warnings.length > 0 };
      },
    );
    const wanted = setText(hosts);
    const changing = accepted.filter(({ from }) => setText(from) !== wanted);
    const moving = changing.filter(({ isSigned }) => !isSigned);
    const isOurs = (nameservers: readonly string[]): boolean =>
      delegationOf(nameservers, this.settings.defaultNameservers) !== 'elsewhere';
    return {
      groups: groupsOf(moving),
      signed: changing.filter(({ isSigned }) => isSigned).map(({ domain }) => domain),
      unchanged: accepted.filter(({ from }) => setText(from) === wanted).map(({ domain }) => domain),
      refused,
      leaving: isOurs(hosts) ? 0 : moving.filter(({ from }) => isOurs(from)).length,
      joining: isOurs(hosts) ? moving.filter(({ from }) => !isOurs(from)).length : 0,
    };
  }
}

function groupsOf(moving: readonly ReviewedDomain[]): BulkNameserverReview['groups'] {
  const groups = new Map<string, { from: readonly string[]; domains: SelectedDomain[] }>();
  for (const { domain, from } of moving) {
    const group = groups.get(setText(from)) ?? { from, domains: [] };
    group.domains.push(domain);
    groups.set(setText(from), group);
  }
  return [...groups.values()].toSorted((left, right) => right.domains.length - left.domains.length);
}

/** The order of nameservers means nothing. */
function setText(hosts: readonly string[]): string {
  return hosts.toSorted().join(' ');
}
