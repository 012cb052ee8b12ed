import { inject, injectable } from '../../../application/ports/inject';
import { AuditReader, type AuditFinds, type AuditSearch } from '../../../application/ports/access/audit-and-events';
import { VisibleDomains } from '../../../application/registration/visible-domains';
import { waitForNextSlice } from '../../../application/shared/run-cooperatively';
import type { ListPosition } from '../../../application/ports/storage/page';
import type { Requester } from '../../../domain/access/actor';
import { limitsOf } from '../../../domain/access/key-permissions';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import { findRecordType } from '../../../domain/dns/records/types/record-types';
import { typedName } from '../../../domain/dns/records/record-name';
import { addDays, parseDay } from '../../../domain/shared/time/calendar';
import { foldNamePart } from '../../../domain/shared/idna';
import { startOfDay } from '../../../domain/shared/time/local-time';
import type { DashboardRequest } from '../dashboard-route';
import { readParameter } from '../form-fields';
import { actionsOf } from './action-filter';

/** So many names that contain what was typed are searched. */
const MAX_NAMES = 20;
const MAX_SEARCH = 253;
/** So often one page goes on with a search that has found too little. */
const MAX_READS = 10;

/** The filter of the activity page, as typed. */
export interface ActivityQuery {
  /** A name or part of a name. */
  readonly domain: string;
  readonly actor: string;
  /** A value of `ACTION_GROUPS`. */
  readonly action: string;
  /** Of records. */
  readonly type: string;
  /** The first and the last day in the person's time zone, as `2027-03-01`. */
  readonly from: string;
  readonly to: string;
}

/** What a query finds: any entry, or those about a few names. */
export interface ActivityScope {
  readonly search: AuditSearch;
  /** Whether more names contain what was typed. */
  readonly isPartial: boolean;
}

export function readActivityQuery(req: Pick<DashboardRequest, 'query'>): ActivityQuery {
  return {
    domain: readParameter(req, 'domain').trim().toLowerCase().slice(0, MAX_SEARCH),
    actor: readParameter(req, 'actor'),
    action: readParameter(req, 'action'),
    type: readParameter(req, 'type').trim().toUpperCase(),
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

  async resolveScope(requester: Requester, query: ActivityQuery, timeZone: string): Promise<ActivityScope> {
    const { domain, actor, action, type, from, to } = query;
    const [firstDay, lastDay] = [parseDay(from), parseDay(to)];
    const search = {
      actor: actor === '' ? undefined : actor,
      actions: actionsOf(action),
      recordType: findRecordType(type),
      tags: limitsOf(requester.actor)?.tags,
      since: firstDay && startOfDay(firstDay, timeZone),
      before: lastDay && startOfDay(addDays(lastDay, 1), timeZone),
    };
    if (domain === '') return { search, isPartial: false };
    const list = { of: 'names', order: 'name', descending: false, nameContains: foldNamePart(domain) } as const;
    const { items, next } = await this.domains.page(requester, list, MAX_NAMES);
    // A domain that no longer exists is found by its whole name.
    const names = new Set([typedName(domain)?.name ?? domain, ...items.map(({ name }) => name)]);
    return { search: { ...search, domainNames: [...names] }, isPartial: next !== undefined };
  }

  /** Newest first. A page that finds little ends early, with the position from which the next one continues. */
  async page(accountId: string, { search }: ActivityScope, limit: number, after?: ListPosition): Promise<AuditFinds> {
    const entries: AuditEntry[] = [];
    let searchedTo = after;
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const found = await this.audit.search(accountId, search, limit - entries.length, searchedTo);
      entries.push(...found.entries);
      ({ searchedTo } = found);
      if (!searchedTo || entries.length === limit) break;
      await waitForNextSlice(accountId);
    }
    return { entries, searchedTo };
  }
}
