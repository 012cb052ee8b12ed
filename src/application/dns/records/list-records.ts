import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import {
  assertActionAllowed,
  maySeeDomain,
  maySeeRecord,
  seesSomeRecords,
} from '../../../domain/access/key-permissions';
import { commentMatcher } from '../../../domain/dns/records/record-search';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { ZoneHead } from '../../../domain/dns/zone';
import { RecordNotFound } from '../../../domain/dns/dns-errors';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { pagesOf, readInTurn } from '../../shared/pages-of';
import { runCooperatively, type CooperativeTask } from '../../shared/run-cooperatively';
import { AliasReader, type AliasStatus } from '../../ports/dns/alias-repository';
import type { ListPosition } from '../../ports/storage/page';
import { RecordReader, type RecordFilter } from '../../ports/dns/zone-queries';

const SCANNED_AT_ONCE = 500;

type ReadPage = (limit: number, after?: ListPosition) => Promise<readonly ListedRecord[]>;

/** The parameters that filter records, as the API has them. */
export const RECORD_FILTERS = ['type', 'name', 'content', 'comment', 'managed_by'] as const;

/** What a list is filtered by. */
export interface ListFilter extends RecordFilter {
  /** The whole content, as records are shown. */
  readonly content?: string | undefined;
  /** A part of the comment, as `commentMatcher` finds it. */
  readonly comment?: string | undefined;
  readonly managedBy?: string | undefined;
}

export interface ListedRecord extends DnsRecordState {
  /** What an ALIAS record leads to. */
  readonly alias?: AliasStatus | undefined;
}

/**
 * The records of a domain that the requester may see, oldest first: one page or all pages, with a version of the zone that has them.
 * @throws DomainNotFound, LimitedKey before the first page
 */
@injectable()
export class ListRecords {
  constructor(
    @inject(RecordReader) private readonly records: RecordReader,
    @inject(AliasReader) private readonly aliases: AliasReader,
  ) {}

  async page(
    requester: Reader,
    domainId: string,
    filter: ListFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<{ zoneVersion: number; records: readonly ListedRecord[] }> {
    const { version: zoneVersion } = await this.zone(requester, domainId);
    return { zoneVersion, records: await this.readPage(requester, domainId, filter)(limit, after) };
  }

  async all(
    requester: Reader,
    domainId: string,
    filter: ListFilter,
  ): Promise<{ zoneVersion: number; serial: number; pages: AsyncIterable<readonly ListedRecord[]> }> {
    const { version: zoneVersion, serial } = await this.zone(requester, domainId);
    const read = this.readPage(requester, domainId, filter);
    return {
      zoneVersion,
      serial,
      pages: pagesOf(
        read,
        takesTurns(requester, filter) ? undefined : requester.accountId,
        ({ content }) => content.length,
      ),
    };
  }

  /** @throws DomainNotFound, RecordNotFound also for a record that the requester may not see */
  async one(
    requester: Reader,
    domainId: string,
    recordId: string,
  ): Promise<{ zoneVersion: number; record: ListedRecord }> {
    const { version: zoneVersion } = await this.zone(requester, domainId);
    const found = await this.records.record(domainId, recordId);
    if (!found || !maySeeRecord(requester.actor, found)) throw new RecordNotFound();
    const [record = found] = await withAliases(this.aliases, domainId, [found]);
    return { zoneVersion, record };
  }

  /** Pages are full also for a key for some records, and for a content: a zone may be read to its end for a few records. */
  private readPage({ accountId, actor }: Reader, domainId: string, filter: ListFilter): ReadPage {
    const read: ReadPage = async (limit, after) =>
      withAliases(this.aliases, domainId, await this.records.page(domainId, filter, limit, after));
    if (!takesTurns({ actor }, filter)) return read;
    const isMatch = filterMatcher(filter);
    const isWanted = (record: ListedRecord) => maySeeRecord(actor, record) && isMatch(record);
    return async (limit, after) => {
      const visible: ListedRecord[] = [];
      let last = after;
      do {
        const scanned = await readInTurn(accountId, () => read(SCANNED_AT_ONCE, last));
        visible.push(...(await runCooperatively(wantedAmong(scanned, isWanted), accountId)));
        last = scanned.length < SCANNED_AT_ONCE ? undefined : scanned.at(-1);
      } while (last && visible.length < limit);
      return visible.slice(0, limit);
    };
  }

  private async zone({ accountId, actor }: Reader, domainId: string): Promise<Pick<ZoneHead, 'version' | 'serial'>> {
    assertActionAllowed(actor, 'read');
    const zone = await this.records.findFor(accountId, domainId);
    if (!zone || !maySeeDomain(actor, zone)) throw new DomainNotFound();
    return zone;
  }
}

/** Whether each page takes a slot of the account for reading several pages of the zone. */
function takesTurns({ actor }: Pick<Reader, 'actor'>, { content, comment, managedBy }: ListFilter): boolean {
  return seesSomeRecords(actor) || [content, comment, managedBy].some((each) => each !== undefined);
}

function filterMatcher({ content, comment, managedBy }: ListFilter): (record: ListedRecord) => boolean {
  const hasComment = comment === undefined ? () => true : commentMatcher(comment);
  return (record) =>
    (content === undefined || record.content === content) &&
    (managedBy === undefined || record.managedBy === managedBy) &&
    hasComment(record);
}

/** A key may have many patterns, and a name many labels. */
function* wantedAmong(
  records: readonly ListedRecord[],
  isWanted: (record: ListedRecord) => boolean,
): CooperativeTask<ListedRecord[]> {
  const wanted: ListedRecord[] = [];
  for (const record of records) {
    if (isWanted(record)) wanted.push(record);
    yield;
  }
  return wanted;
}

/** Adds to the ALIAS records among some records of a domain what they lead to. */
export async function withAliases(
  aliases: AliasReader,
  domainId: string,
  records: readonly DnsRecordState[],
): Promise<readonly ListedRecord[]> {
  const names = records.filter(({ type }) => type === 'ALIAS').map(({ name }) => name);
  if (names.length === 0) return records;
  const statuses = new Map((await aliases.statuses(domainId, names)).map((status) => [status.name, status]));
  return records.map((record) => (record.type === 'ALIAS' ? { ...record, alias: statuses.get(record.name) } : record));
}
