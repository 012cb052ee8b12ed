import { inject, injectable } from '../../../application/ports/inject';
import { LifecyclePlan } from '../../../application/operations/lifecycle-plan';
import { VisibleDomains } from '../../../application/registration/visible-domains';
import { DeleteDomain } from '../../../application/registration/delete-domain';
import type { DomainState } from '../../../domain/registration/domain';
import { isAllowed, type DomainAction } from '../../../domain/registration/domain-status';
import type { KeyAction } from '../../../domain/access/key-limits';
import { foldNamePart } from '../../../domain/shared/idna';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { dangerSteps } from '../domain/danger/danger-steps';
import { displayName } from '../layout/domain/domain-labels';
import { readParameter } from '../form-fields';
import { allows, hasEveryDomain, mayTransfer } from '../user-session';

interface PaletteItem {
  /** Only owners have the page. */
  readonly isForOwners?: boolean;
  /** Only people without a limit to tags have the page. */
  readonly everyDomain?: boolean;
  /** What a role needs for it; default: `read`. */
  readonly needs?: KeyAction;
  readonly label: string;
  readonly kind: 'Domain' | 'Page' | 'Action';
  readonly url: string;
}

const MAX_DOMAINS = 6;
const MAX_ITEMS = 12;
const MAX_LENGTH = 100;

const PAGES: readonly PaletteItem[] = [
  { label: 'Overview', kind: 'Page', url: '/' },
  { label: 'Domains', kind: 'Page', url: '/domains' },
  { label: 'Record templates', kind: 'Page', url: '/record-templates' },
  { label: 'Bulk changes', kind: 'Page', url: '/bulk' },
  { label: 'Transfers', kind: 'Page', url: '/transfers' },
  { label: 'API keys', kind: 'Page', url: '/api-keys', everyDomain: true },
  { label: 'API reference', kind: 'Page', url: '/docs' },
  { label: 'Activity', kind: 'Page', url: '/activity' },
  { label: 'Nameservers of this service', kind: 'Page', url: '/nameservers', isForOwners: true },
  { label: 'Team', kind: 'Page', url: '/team' },
  { label: 'Settings', kind: 'Page', url: '/settings' },
  { label: 'Second factor: passkeys and authenticator app', kind: 'Page', url: '/settings/second-factor' },
  { label: 'Register a domain', kind: 'Action', url: '/register', needs: 'register' },
  { label: 'Transfer a domain here', kind: 'Action', url: '/transfers/new', needs: 'transfer' },
  { label: 'Import domains from a registrar', kind: 'Action', url: '/imports', isForOwners: true },
  { label: 'Create an API key', kind: 'Action', url: '/api-keys/new', isForOwners: true },
  {
    label: 'Create a record template',
    kind: 'Action',
    url: '/record-templates/new',
    needs: 'write',
    everyDomain: true,
  },
  { label: 'Domains with health errors', kind: 'Action', url: '/domains?health=problem' },
  { label: 'Change many domains', kind: 'Action', url: '/domains?select=page' },
  { label: 'Download domains as CSV', kind: 'Action', url: '/domains.csv' },
];

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
];

/** Finds domains, pages and actions for the command palette, as JSON. One bounded search by name per request. */
@injectable()
export class PalettePages implements DashboardPages {
  constructor(
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(DeleteDomain) private readonly deleteDomain: DeleteDomain,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/palette', 'read', this.search.bind(this)]];
  }

  private async search(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const words = readParameter(req, 'q').trim().slice(0, MAX_LENGTH).split(/\s+/).filter(Boolean);
    const { userSession } = res.locals;
    const isOwner = userSession.user.role === 'owner';
    const pages = PAGES.filter(
      ({ label, isForOwners = false, everyDomain = false, needs = 'read' }) =>
        (isOwner || !isForOwners) &&
        (!everyDomain || hasEveryDomain(userSession)) &&
        allows(userSession, needs) &&
        matches(label, words),
    );
    const items = [...(await this.findDomains(res, words)), ...pages].slice(0, MAX_ITEMS);
    res.type('json').send(JSON.stringify({ items: items.map(({ label, kind, url }) => ({ label, kind, url })) }));
  }

  /** The first word is a part of a name; more words choose among what can be done with the domain. */
  private async findDomains(res: DashboardResponse, [part, ...words]: readonly string[]): Promise<PaletteItem[]> {
    const nameContains = part === undefined ? undefined : foldNamePart(part);
    if (nameContains === undefined || nameContains === '') return [];
    const { items } = await this.domains.page(
      getRequester(res),
      { order: 'name', descending: false, nameContains },
      MAX_DOMAINS,
    );
    const found = words.length === 0 ? items.map(toItem) : [];
    const actions =
      items.length === 1 || words.length > 0 ? items.flatMap((domain) => this.actionsOf(res, domain, words)) : [];
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
        ([label, , needs = 'read', does]) =>
          allows(userSession, needs) && (does === undefined || isAllowed(domain.status, does)) && matches(label, words),
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

/** Whether every typed word begins a word of the label. */
function matches(label: string, words: readonly string[]): boolean {
  const parts = label.toLowerCase().split(' ');
  return words.every((word) => parts.some((part) => part.startsWith(word.toLowerCase())));
}
