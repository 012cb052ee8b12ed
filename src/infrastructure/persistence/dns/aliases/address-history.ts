import type { EntityManager } from 'typeorm';
import type { RrsetChange } from '../../../../application/ports/dns/publishing';
import type { ZonePlaces } from '../../../../application/ports/dns/zone-repository';
import type { DnsRecordState } from '../../../../domain/dns/records/dns-record';
import type { RecordType } from '../../../../domain/dns/records/types/record-types';
import { groupedBy } from '../../../../domain/shared/grouped-by';
import { insertRows, sendStatements } from '../../database/table';
import { ADDRESSES } from '../dnssec/derived-rows';
import { readRecords } from '../dnssec/read-signing-rows';
import { DerivedChangeTable, type DerivedChangeRow } from '../dnssec/dnssec-tables';
import type { ChangedAliases } from './alias-rows';
import { chunks, ROWS_PER_STATEMENT } from '../sql-zone-reader';
import { toPublished } from '../transfers/published-rows';

/** A longer change is not kept, so that a row fits into the server's packet. */
const MAX_TEXT = 256 * 1024;

/** As `derived_changes` keeps the addresses of one name and type. */
type StoredAddresses = readonly [name: string, type: RecordType, ttl: number, addresses: readonly string[]];
type StoredChange = readonly [before: StoredAddresses | null, after: StoredAddresses | null];
type AddressSets = ReadonlyMap<string, StoredAddresses>;

/** Runs `write`, and keeps how it changes the addresses that zones have in place of ALIAS records (RFC 1995). */
export async function keepAddressChanges(
  manager: EntityManager,
  changes: readonly ChangedAliases[],
  at: Date,
  write: () => Promise<unknown>,
): Promise<void> {
  if (changes.length === 0) {
    await write();
    return;
  }
  const before = await addressesAt(manager, changes);
  await write();
  const after = await addressesAt(manager, changes);
  const rows = changes.map(({ domainId, serial, names }): DerivedChangeRow => {
    const [old, present] = [before.get(domainId), after.get(domainId)];
    const rrsets = textOf(names.flatMap((name) => differences(old?.get(name), present?.get(name))));
    return { domain_id: domainId, serial, part: ADDRESSES, happened_at: at.getTime(), rrsets };
  });
  await sendStatements(rows.map((row) => () => insertRows(manager, DerivedChangeTable, [row])));
}

/** By domain, name, and name and type. */
async function addressesAt(
  manager: EntityManager,
  places: readonly ZonePlaces[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, AddressSets>>> {
  const few = places.flatMap(({ domainId, names }) =>
    [...chunks(names, ROWS_PER_STATEMENT)].map((some) => ({ domainId, names: some })),
  );
  const rows = await readRecords({ query: (sql, parameters = []) => manager.query(sql, [...parameters]) }, few);
  const aliases = rows.flat().filter(({ type }) => type === 'ALIAS');
  return new Map(
    [...groupedBy(aliases, ({ domain_id: domainId }) => domainId)].map(([domainId, ofZone]) => [
      domainId,
      new Map(ofZone.map((row) => [row.name, setsOf(toPublished(row))])),
    ]),
  );
}

function setsOf(addresses: readonly DnsRecordState[]): AddressSets {
  return new Map([...groupedBy(addresses, ({ type }) => type)].map(([type, set]) => [type, toStored(set)]));
}

function toStored(set: readonly DnsRecordState[]): StoredAddresses {
  const [{ name, type, ttl }] = set as [DnsRecordState];
  return [name, type, ttl, set.map(({ content }) => content)];
}

function differences(before: AddressSets = new Map(), after: AddressSets = new Map()): StoredChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].map((type) => [
    before.get(type) ?? null,
    after.get(type) ?? null,
  ]);
}

function textOf(changes: readonly StoredChange[]): string {
  const text = JSON.stringify(changes);
  return text.length > MAX_TEXT ? 'null' : text;
}

/** What a row of the history tells; undefined if the change was too long. */
export function addressChanges(rrsets: string): readonly RrsetChange[] | undefined {
  const changes = JSON.parse(rrsets) as readonly StoredChange[] | null;
  return changes?.flatMap(([before, after]) => {
    const [name, type] = before ?? after ?? [];
    return name === undefined || type === undefined
      ? []
      : [{ name, type, before: toRecords(before), after: toRecords(after) }];
  });
}

function toRecords(stored: StoredAddresses | null): readonly DnsRecordState[] {
  if (!stored) return [];
  const [name, type, ttl, addresses] = stored;
  const others = { id: '', priority: null, weight: null, port: null, createdAt: new Date(0), updatedAt: new Date(0) };
  return addresses.map((content) => ({ ...others, name, type, ttl, content }));
}
