import { inject, injectable } from '../../../application/ports/inject';
import { AuditReader, type AuditFilter } from '../../../application/ports/access/audit-log';
import { VisibleDomains } from '../../../application/registration/visible-domains';
import type { ListPosition } from '../../../application/ports/storage/page';
import type { Requester } from '../../../domain/access/actor';
import { limitsOf } from '../../../domain/access/key-permissions';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import { typedName } from '../../../domain/dns/records/record-name';
import { DAY_MS, parseDay } from '../../../domain/shared/calendar';
import { foldNamePart } from '../../../domain/shared/idna';
import type { DashboardRequest } from '../dashboard-route';
import { readParameter } from '../form-fields';

/** So many names that contain what was typed are searched. */
const MAX_NAMES = 20;
const MAX_SEARCH = 253;

/** The filter of the activity page, as typed. */
export interface ActivityQuery {
  /** A name or part of a name. */
  readonly domain: string;
  readonly actor: string;
  /** The first and the last day (UTC), as `2027-03-01`. */
  readonly from: string;
  readonly to: string;
}

/** What a query finds: any entry, or those about a few names. */
export interface ActivityScope {
  readonly filter: AuditFilter;
  /** Undefined: entries about any name or none. */
  readonly names: readonly string[] | undefined;
  /** Whether more names contain what was typed. */
  readonly isPartial: boolean;
}

export function readActivityQuery(req: Pick<DashboardRequest, 'query'>): ActivityQuery {
  return {
    domain: readParameter(req, 'domain').trim().toLowerCase().slice(0, MAX_SEARCH),
    actor: readParameter(req, 'actor'),
    from: readParameter(req, 'from'),
    to: readParameter(req, 'to'),
  };
}

/** Searches the audit log. Part of a name finds the entries about the account's domains whose names contain it. */
@injectable()
export class ActivitySearch {
  constructor(
    @inject(AuditReader) private readonly audit: AuditReader,
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
  ) {}

  async resolveScope(requester: Requester, { domain, actor, from, to }: ActivityQuery): Promise<ActivityScope> {
    const lastDay = parseDay(to);
    const filter = {
      actor: actor === '' ? undefined : actor,
      tags: limitsOf(requester.actor)?.tags,
      since: parseDay(from),
      before: lastDay && new Date(lastDay.getTime() + DAY_MS),
    };
    if (domain === '') return { filter, names: undefined, isPartial: false };
    const list = { order: 'name', descending: false, nameContains: foldNamePart(domain) } as const;
    const { items, next } = await this.domains.page(requester, list, MAX_NAMES);
    // A domain that no longer exists is found by its whole name.
    const names = new Set([typedName(domain)?.name ?? domain, ...items.map(({ name }) => name)]);
    return { filter, names: [...names], isPartial: next !== undefined };
  }

  /** Newest first. Each name is read by its index and from the position on. */
  async page(
    accountId: string,
    { filter, names }: ActivityScope,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly AuditEntry[]> {
    if (!names) return this.audit.page(accountId, filter, limit, after);
    const pages = await Promise.all(
      names.map((domainName) => this.audit.page(accountId, { ...filter, domainName }, limit, after)),
    );
    return pages.flat().toSorted(newestFirst).slice(0, limit);
  }
}

function newestFirst(one: AuditEntry, other: AuditEntry): number {
  return other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : -1);
}
