import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { HEALTH_STATES } from '../../domain/health/health-check';
import {
  nameserverTerm,
  RENEWAL_OFF,
  TAG_PREFIX,
  tagTerm,
  TLD_PREFIX,
  tldTerm,
  UNLOCKED,
} from '../../domain/portfolio/domain-terms';
import { normalizeTag, TAG_EXPECTATION } from '../../domain/shared/tags';
import { DomainName } from '../../domain/shared/domain-name';
import { HOSTED_STATUSES, VISIBLE_STATUSES, type DomainStatus } from '../../domain/registration/domain-status';
import { addDays, INSTANT_EXPECTATION, parseDay, parseInstant } from '../../domain/shared/time/calendar';
import { foldNamePart, toAsciiName } from '../../domain/shared/idna';
import type { Issue } from '../../domain/shared/issue';
import { STATUSES_OF, type DomainFilter, type TermCondition } from '../ports/registration/domain-repository';
import { RegistryDirectory } from '../ports/registry/registries';
import { LifecycleClock } from '../ports/system';
import { RegistrationSettings } from '../registration/registration-settings';
import { VisibleDomains } from '../registration/visible-domains';

/** The parameters that filter domains, as the API and the dashboard have them. They combine: a domain matches all. */
export const DOMAIN_FILTERS = [
  'status',
  'name',
  'tld',
  'tag',
  'registrar',
  'auto_renew',
  'transfer_locked',
  'nameserver',
  'expires_within',
  'expires_from',
  'expires_before',
  'health',
  'updated_since',
] as const;
/** Those of a list that also has names without a registration. */
export const NAME_FILTERS = [...DOMAIN_FILTERS, 'kind'] as const;
export const KINDS = ['registered', 'hosted'] as const;
type NameFilter = (typeof NAME_FILTERS)[number];
export type GivenFilter = { readonly [Name in NameFilter]?: string | undefined };

/** What only a registration has: a list that is filtered by it has no names without one. */
const OF_REGISTRATIONS: readonly NameFilter[] = [
  'registrar',
  'auto_renew',
  'transfer_locked',
  'expires_within',
  'expires_from',
  'expires_before',
];

interface ParsedFilter {
  readonly filter: DomainFilter;
  /** What is wrong with a parameter, which the filter then ignores. */
  readonly issues: readonly Issue[];
}

/** What an account's domains can be filtered by. */
export interface FilterChoices {
  readonly tlds: readonly string[];
  readonly tags: readonly string[];
  readonly registrars: readonly string[];
}

const MAX_DAYS = 3_650;
const MAX_CHOICES = 200;

type Part = Partial<Omit<DomainFilter, 'of' | 'status' | 'terms'>> & { readonly term?: TermCondition };
type ListOf = 'domains' | 'names';

const NOTHING: TermCondition = { anyOf: [tldTerm('')] };

/** Turns parameters into a filter of domains. */
@injectable()
export class DomainFilters {
  constructor(
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(RegistryDirectory) private readonly registries: RegistryDirectory,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  async parse(requester: Reader, given: GivenFilter, of: ListOf = 'domains'): Promise<ParsedFilter> {
    const issues: Issue[] = [];
    const parts: Part[] = [];
    for (const path of of === 'names' ? NAME_FILTERS : DOMAIN_FILTERS) {
      const text = given[path];
      if (text === undefined) continue;
      const part = path === 'registrar' ? await this.ofRegistrar(requester, text) : this.read(path, text, of);
      if (typeof part === 'string') issues.push({ path, message: part });
      else parts.push(OF_REGISTRATIONS.includes(path) ? { ...part, statuses: VISIBLE_STATUSES } : part);
    }
    const listed = STATUSES_OF[of].filter((status) =>
      parts.every(({ statuses }) => statuses?.includes(status) ?? true),
    );
    const inList = listOf(of, listed);
    const terms = [...parts.flatMap(({ term }) => term ?? []), ...(inList ? [] : [NOTHING])];
    const others = parts.map(({ term: _term, statuses: _statuses, ...part }) => part);
    const ends = parts.flatMap(({ expiresBefore }) => expiresBefore?.getTime() ?? []);
    const both = {
      ...(terms.length > 0 && { terms }),
      ...(ends.length > 0 && { expiresBefore: new Date(Math.min(...ends)) }),
    };
    return { filter: Object.assign({}, inList, ...others, both) as DomainFilter, issues };
  }

  async choices(requester: Reader): Promise<FilterChoices> {
    const [tlds, tags] = await Promise.all([
      this.readTlds(requester),
      this.domains.terms(requester, TAG_PREFIX, MAX_CHOICES),
    ]);
    const registrars = new Set(tlds.flatMap((tld) => this.registrarOf(tld) ?? []));
    return { tlds, tags: tags.map((term) => term.slice(TAG_PREFIX.length)), registrars: [...registrars].toSorted() };
  }

  /** Returns what is wrong with the text if it is no value of the parameter. */
  private read(name: Exclude<NameFilter, 'registrar'>, text: string, of: ListOf): Part | string {
    if (name === 'name') return { nameContains: foldNamePart(text) };
    if (name === 'auto_renew') return readSwitch(text, RENEWAL_OFF);
    if (name === 'transfer_locked') return readSwitch(text, UNLOCKED);
    if (name === 'nameserver') return this.readNameserver(text);
    if (name === 'expires_within') {
      const days = /^\d{1,4}$/.test(text) ? Number(text) : MAX_DAYS + 1;
      if (days > MAX_DAYS) return `must be a number of days, at most ${MAX_DAYS}`;
      return { expiresBefore: addDays(this.clock.now(), days) };
    }
    if (name === 'expires_from' || name === 'expires_before') {
      const day = parseDay(text);
      if (!day) return 'must be a date such as 2027-01-31';
      return name === 'expires_from' ? { expiresFrom: day } : { expiresBefore: day };
    }
    if (name === 'tld') {
      const tld = toAsciiName(text.replace(/^\./, ''));
      return tld ? { term: { anyOf: [tldTerm(tld)] } } : 'must be a TLD such as com';
    }
    if (name === 'tag') {
      const tag = normalizeTag(text);
      return tag ? { term: { anyOf: [tagTerm(tag)] } } : TAG_EXPECTATION;
    }
    if (name === 'health') {
      const health = HEALTH_STATES.find((each) => each === text);
      return health ? { health } : `must be one of ${HEALTH_STATES.join(', ')}`;
    }
    if (name === 'updated_since') {
      const updatedSince = parseInstant(text);
      return updatedSince ? { updatedSince } : `must be ${INSTANT_EXPECTATION}`;
    }
    if (name === 'kind') {
      if (text === 'hosted') return { statuses: HOSTED_STATUSES };
      return text === 'registered' ? { statuses: VISIBLE_STATUSES } : `must be one of ${KINDS.join(', ')}`;
    }
    return readStatuses(text, STATUSES_OF[of]);
  }

  private readNameserver(text: string): Part | string {
    const ours = this.settings.defaultNameservers.map(nameserverTerm);
    if (text === 'ours') return { term: { anyOf: ours } };
    if (text === 'foreign') return { term: { anyOf: ours, not: true } };
    const host = toAsciiName(text.replace(/\.$/, ''));
    return host ? { term: { anyOf: [nameserverTerm(host)] } } : 'must be ours, foreign or a host name';
  }

  private async ofRegistrar(requester: Reader, registrar: string): Promise<Part> {
    const tlds = (await this.readTlds(requester)).filter((tld) => this.registrarOf(tld) === registrar);
    return { term: tlds.length === 0 ? NOTHING : { anyOf: tlds.map(tldTerm) } };
  }

  private async readTlds(requester: Reader): Promise<readonly string[]> {
    return (await this.domains.terms(requester, TLD_PREFIX, MAX_CHOICES)).map((term) => term.slice(TLD_PREFIX.length));
  }

  private registrarOf(tld: string): string | undefined {
    return this.registries.registryFor(DomainName.fromState(`any.${tld}`))?.registry;
  }
}

/** One, or several with commas between them. */
function readStatuses(text: string, known: readonly DomainStatus[]): Part | string {
  const wanted = new Set(text.split(','));
  const statuses = known.filter((status) => wanted.has(status));
  return statuses.length < wanted.size ? `must be one of ${known.join(', ')}, or several` : { statuses };
}

/** The filter of a list that has only names in these statuses; undefined if there is no status. */
function listOf(of: ListOf, statuses: readonly DomainStatus[]): DomainFilter | undefined {
  const lists = ['domains', of] as const;
  const whole = lists.find((list) => STATUSES_OF[list].join() === statuses.join());
  if (whole !== undefined) return whole === 'domains' && of === 'domains' ? {} : { of: whole };
  const [status] = statuses;
  if (!status) return undefined;
  return { ...(of === 'names' && { of }), ...(statuses.length === 1 ? { status } : { statuses }) };
}

/** @param off the term of a domain whose switch is off */
function readSwitch(text: string, off: string): Part | string {
  if (text !== 'true' && text !== 'false') return 'must be true or false';
  return { term: { anyOf: [off], not: text === 'true' } };
}
