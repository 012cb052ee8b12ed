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
import { VISIBLE_STATUSES } from '../../domain/registration/domain-status';
import { addDays, INSTANT_EXPECTATION, parseDay, parseInstant } from '../../domain/shared/calendar';
import { foldNamePart, toAsciiName } from '../../domain/shared/idna';
import type { Issue } from '../../domain/shared/issue';
import type { DomainFilter, TermCondition } from '../ports/registration/domain-repository';
import { RegistryDirectory } from '../ports/registry/registry-directory';
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
type DomainFilterName = (typeof DOMAIN_FILTERS)[number];
export type GivenFilter = { readonly [Name in DomainFilterName]?: string | undefined };

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

type Part = Partial<Omit<DomainFilter, 'terms'>> & { readonly term?: TermCondition };

/** Turns parameters into a filter of domains. */
@injectable()
export class DomainFilters {
  constructor(
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(RegistryDirectory) private readonly registries: RegistryDirectory,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  async parse(requester: Reader, given: GivenFilter): Promise<ParsedFilter> {
    const issues: Issue[] = [];
    const parts: Part[] = [];
    for (const path of DOMAIN_FILTERS) {
      const text = given[path];
      if (text === undefined) continue;
      const part = path === 'registrar' ? await this.ofRegistrar(requester, text) : this.read(path, text);
      if (typeof part === 'string') issues.push({ path, message: part });
      else parts.push(part);
    }
    const terms = parts.flatMap(({ term }) => term ?? []);
    const others = parts.map(({ term: _term, ...part }) => part);
    const ends = parts.flatMap(({ expiresBefore }) => expiresBefore?.getTime() ?? []);
    const both = {
      ...(terms.length > 0 && { terms }),
      ...(ends.length > 0 && { expiresBefore: new Date(Math.min(...ends)) }),
    };
    return { filter: Object.assign({}, ...others, both) as DomainFilter, issues };
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
  private read(name: Exclude<DomainFilterName, 'registrar'>, text: string): Part | string {
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
    return readStatuses(text);
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
    return { term: { anyOf: tlds.length === 0 ? [tldTerm('')] : tlds.map(tldTerm) } };
  }

  private async readTlds(requester: Reader): Promise<readonly string[]> {
    return (await this.domains.terms(requester, TLD_PREFIX, MAX_CHOICES)).map((term) => term.slice(TLD_PREFIX.length));
  }

  private registrarOf(tld: string): string | undefined {
    return this.registries.registryFor(DomainName.fromState(`any.${tld}`))?.registry;
  }
}

/** One, or several with commas between them. */
function readStatuses(text: string): Part | string {
  const wanted = new Set(text.split(','));
  const statuses = VISIBLE_STATUSES.filter((status) => wanted.has(status));
  const [status] = statuses;
  if (!status || statuses.length < wanted.size) return `must be one of ${VISIBLE_STATUSES.join(', ')}, or several`;
  return statuses.length === 1 ? { status } : { statuses };
}

/** @param off the term of a domain whose switch is off */
function readSwitch(text: string, off: string): Part | string {
  if (text !== 'true' && text !== 'false') return 'must be true or false';
  return { term: { anyOf: [off], not: text === 'true' } };
}
