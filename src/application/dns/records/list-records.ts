import { inject, injectable } from 'inversify';
import type { Actor, Reader } from '../../../domain/access/actor';
import {
  assertActionAllowed,
  maySeeDomain,
  maySeeRecord,
  seesSomeRecords,
} from '../../../domain/access/key-permissions';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { DomainNotFound } from '../../../domain/registration/errors';
import { pagesOf, readInTurn } from '../../pages-of';
import { runCooperatively, type CooperativeTask } from '../../run-cooperatively';
import { AliasReader, type AliasStatus } from '../../ports/dns/alias-repository';
import type { ListPosition } from '../../ports/storage/list-position';
import { RecordReader, type RecordFilter, type ZoneCounters } from '../../ports/dns/zone-repository';

const SCANNED_AT_ONCE = 500;

type ReadPage = (limit: number, after?: ListPosition) => Promise<readonly ListedRecord[]>;

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
    filter: RecordFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<{ zoneVersion: number; records: readonly ListedRecord[] }> {
    const { version: zoneVersion } = await this.zone(requester, domainId);
    return { zoneVersion, records: await this.readPage(requester, domainId, filter)(limit, after) };
  }

  async all(
    requester: Reader,
    domainId: string,
    filter: RecordFilter,
  ): Promise<{ zoneVersion: number; serial: number; pages: AsyncIterable<readonly ListedRecord[]> }> {
    const { version: zoneVersion, serial } = await this.zone(requester, domainId);
    const read = this.readPage(requester, domainId, filter);
    return {
      zoneVersion,
      serial,
      pages: pagesOf(read, seesSomeRecords(requester.actor) ? undefined : requester.accountId),
    };
  }

  /** A key for some records gets full pages, too, so a zone may be read to its end for a few records that the key may see. */
  private readPage({ accountId, actor }: Reader, domainId: string, filter: RecordFilter): ReadPage {
    const read: ReadPage = async (limit, after) =>
      withAliases(this.aliases, domainId, await this.records.page(domainId, filter, limit, after));
    if (!seesSomeRecords(actor)) return read;
    return async (limit, after) => {
      const visible: ListedRecord[] = [];
      let last = after;
      do {
        const scanned = await readInTurn(accountId, () => read(SCANNED_AT_ONCE, last));
        visible.push(...(await runCooperatively(visibleAmong(actor, scanned), accountId)));
        last = scanned.length < SCANNED_AT_ONCE ? undefined : scanned.at(-1);
      } while (last && visible.length < limit);
      return visible.slice(0, limit);
    };
  }

  private async zone({ accountId, actor }: Reader, domainId: string): Promise<ZoneCounters> {
    assertActionAllowed(actor, 'read');
    const zone = await this.records.findFor(accountId, domainId);
    if (!zone || !maySeeDomain(actor, zone)) throw new DomainNotFound();
    return zone;
  }
}

/** A key may have many patterns, and a name many labels. */
function* visibleAmong(actor: Actor, records: readonly ListedRecord[]): CooperativeTask<ListedRecord[]> {
  const visible: ListedRecord[] = [];
  for (const record of records) {
    if (maySeeRecord(actor, record)) visible.push(record);
    yield;
  }
  return visible;
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
