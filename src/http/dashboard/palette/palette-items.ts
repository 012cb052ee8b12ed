import { inject, injectable } from '../../../application/ports/inject';
import { LifecyclePlan } from '../../../application/operations/lifecycle-plan';
import { SearchAccount, type AccountFindings } from '../../../application/portfolio/search/search-account';
import type { FoundRecord } from '../../../application/portfolio/search/search-records';
import { DeleteDomain } from '../../../application/registration/delete-domain';
import type { KeyAction } from '../../../domain/access/key-limits';
import type { DomainState } from '../../../domain/registration/domain';
import { isAllowed, type DomainAction } from '../../../domain/registration/domain-status';
import { buildUrl } from '../build-url';
import { getRequester, type DashboardResponse } from '../dashboard-route';
import { dangerSteps } from '../domain/danger/danger-steps';
import { displayName } from '../layout/domain/domain-labels';
import { hasPage } from '../layout/domain/domain-parts';
import { allows, mayTransfer } from '../user-session';
import { pagesFor } from './offered-pages';
import { matchesWords, type PaletteItem } from './palette-item';

const MAX_ITEMS = 30;
/** A longer content is cut, also where the list of records is filtered by it. */
const MAX_CONTENT = 60;

/** Without an action that the status of a domain can forbid, it is offered for every domain. */
type Offer = readonly [label: string, path: string, needs?: KeyAction, does?: DomainAction];

/** What can be done with domains, as paths below their pages. */
const OF_DOMAIN: readonly Offer[] = [
  ['DNS records', '/records'],
  ['Health', '/health'],
  ['Add a record', '/records#new', 'write', 'change DNS records'],
  ['Use a record template', '/templates', 'write', 'change DNS records'],
  ['SPF and DMARC', '/mail', 'write', 'change DNS records'],
  ['Nameservers', '/nameservers', 'settings', 'change nameservers'],
  ['DNSSEC', '/dnssec'],
  ['DNS history', '/history'],
  ['Zone file', '/zone-file'],
  ['Operations', '/operations'],
  ['Registrant', '/registrant', 'settings', 'change contacts'],
  ['Renew', '/renew', 'renew', 'renew'],
  ['Restore', '/restore', 'renew', 'restore'],
  ['Transfer to another registrar', '/transfer-out', 'transfer', 'issue an auth code'],
];

export interface PaletteResult {
  readonly items: readonly PaletteItem[];
  readonly isComplete: boolean;
}

/** What the palette and the search page show for a text: domains, records, tags, people, keys, pages and actions. */
@injectable()
export class PaletteItems {
  constructor(
    @inject(SearchAccount) private readonly searchAccount: SearchAccount,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(DeleteDomain) private readonly deleteDomain: DeleteDomain,
  ) {}

  /** @param signal ends the search of records early */
  async find(res: DashboardResponse, text: string, signal?: AbortSignal): Promise<PaletteResult> {
    const words = text.split(/\s+/).filter(Boolean);
    const findings = await this.searchAccount.execute(getRequester(res), text, signal);
    const items = [
      ...this.domainItems(res, findings.domains, words.slice(1)),
      ...findings.records.map(toRecordItem),
      ...accountItems(findings),
      ...pagesFor(res.locals.userSession, words),
    ];
    return { items: items.slice(0, MAX_ITEMS), isComplete: findings.isComplete };
  }

  /** More words choose among what can be done with the domains. */
  private domainItems(
    res: DashboardResponse,
    domains: readonly DomainState[],
    words: readonly string[],
  ): readonly PaletteItem[] {
    const found = words.length === 0 ? domains.map(toItem) : [];
    const actions =
      domains.length === 1 || words.length > 0 ? domains.flatMap((domain) => this.actionsOf(res, domain, words)) : [];
    return [...found, ...actions];
  }

  private actionsOf(
    { locals: { userSession } }: DashboardResponse,
    domain: DomainState,
    words: readonly string[],
  ): PaletteItem[] {
    const actions = [...OF_DOMAIN, ...(mayTransfer(userSession) ? this.dangersOf(domain) : [])];
    return actions
      .filter(
        ([label, path, needs = 'read', does]) =>
          hasPage(domain, path) &&
          allows(userSession, needs) &&
          (does === undefined || isAllowed(domain.status, does)) &&
          matchesWords(label, words),
      )
      .map(([label, path]) => ({
        label: `${displayName(domain.name)}: ${label}`,
        kind: 'Action',
        url: `/domains/${domain.id}${path}`,
      }));
  }

  private dangersOf(domain: DomainState): Offer[] {
    return dangerSteps(domain, this.plan.policyFor(domain), this.deleteDomain.isPossible(domain)).flatMap(
      ({ title, path }): Offer[] => (path === undefined ? [] : [[title, path]]),
    );
  }
}

function toItem({ id, name }: DomainState): PaletteItem {
  return { label: displayName(name), kind: 'Domain', url: `/domains/${id}` };
}

/** Leads to the record in the list, which says who changed it last. */
function toRecordItem({ domain, record }: FoundRecord): PaletteItem {
  const { id, name, type, content, priority } = record;
  const shown = content.length > MAX_CONTENT ? `${content.slice(0, MAX_CONTENT)}…` : content;
  const list = buildUrl(`/domains/${domain.id}/records`, { q: content.slice(0, MAX_CONTENT), type });
  const numbers = priority === null ? '' : `${priority} `;
  return {
    label: `${displayName(domain.name)}: ${type} ${name} ${numbers}${shown}`,
    kind: 'Record',
    url: `${list}#${id}`,
  };
}

function accountItems({ tags, people, keys }: AccountFindings): readonly PaletteItem[] {
  return [
    ...tags.map((tag): PaletteItem => ({ label: tag, kind: 'Tag', url: buildUrl('/domains', { tag }) })),
    ...people.map(({ id, email }): PaletteItem => ({ label: email, kind: 'Person', url: `/team#${id}` })),
    ...keys.map(({ keyId, name }): PaletteItem => ({ label: name, kind: 'API key', url: `/api-keys#${keyId}` })),
  ];
}
