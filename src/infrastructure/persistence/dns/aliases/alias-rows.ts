import type { EntityManager } from 'typeorm';
import type { ZonePlaces, ZoneWrite } from '../../../../application/ports/dns/zone-repository';
import { ADDRESS_TYPES, type AddressType } from '../../../../domain/dns/alias/alias-chain';
import type { AddressSet, AliasAddresses } from '../../../../domain/dns/alias/alias-addresses';
import type { DnsRecord } from '../../../../domain/dns/records/dns-record';
import { insertRows, rowOf } from '../../database/table';
import { AliasTable, type AliasRow } from '../dns-tables';
import { chunks, ROWS_PER_STATEMENT } from '../sql-zone-reader';

/** What writes do to the ALIAS record of one name. */
interface AliasChange {
  readonly domainId: string;
  readonly name: string;
  /** Whether the name had an ALIAS record before the writes. */
  readonly existed: boolean;
  /** The target after them; undefined without ALIAS record. */
  target: string | undefined;
  /** A and AAAA records that they removed. */
  readonly removed: DnsRecord[];
}

/** Names of a zone whose ALIAS records or their addresses change, and the serial that the change leads to. */
export interface ChangedAliases extends ZonePlaces {
  readonly serial: number;
}

/** The statements that keep `aliases` in step with the ALIAS records of zones. A changed one keeps its addresses until the new target is known. */
export function* aliasStatements(
  manager: EntityManager,
  writes: readonly ZoneWrite[],
  at: Date,
): Generator<() => Promise<unknown>> {
  const changes = aliasChanges(writes);
  const inserted = changes.flatMap((change) => (change.existed ? [] : toRows(change, at)));
  for (const { domainId, name, existed, target } of changes) {
    if (existed && target === undefined)
      yield () => manager.query('DELETE FROM aliases WHERE domain_id = ? AND name = ?', [domainId, name]);
    else if (existed)
      yield () =>
        manager.query('UPDATE aliases SET target = ?, due_at = ? WHERE domain_id = ? AND name = ?', [
          target,
          at.getTime(),
          domainId,
          name,
        ]);
  }
  for (const rows of chunks(inserted, ROWS_PER_STATEMENT)) yield () => insertRows(manager, AliasTable, rows);
}

/** Of each write that adds, changes or removes ALIAS records: their names, and the serial that it leads to. */
export function changedAliases(writes: readonly ZoneWrite[]): readonly ChangedAliases[] {
  return writes.flatMap((write) => {
    const names = aliasChanges([write]).map(({ name }) => name);
    const { domainId, serial } = write.zone;
    return names.length > 0 ? [{ domainId, names, serial: serial + 1 }] : [];
  });
}

/** The names at which the writes add, change or remove an ALIAS record, by domain. */
export function aliasChanges(writes: readonly ZoneWrite[]): readonly AliasChange[] {
  const changes = new Map<string, AliasChange>();
  for (const { zone, change } of writes) {
    const gone = [...change.removed, ...change.changed.map(({ before }) => before)];
    const written = [...change.added, ...change.changed.map(({ after }) => after)];
    if (![...gone, ...written].some(({ type }) => type === 'ALIAS')) continue;
    const at = (name: string, existed: boolean): AliasChange => {
      const key = `${zone.domainId} ${name}`;
      const found = changes.get(key) ?? { domainId: zone.domainId, name, existed, target: undefined, removed: [] };
      changes.set(key, found);
      return found;
    };
    for (const record of gone) if (record.type === 'ALIAS') at(record.name, true).target = undefined;
    for (const record of written) if (record.type === 'ALIAS') at(record.name, false).target = targetOf(record);
    for (const record of gone)
      if (ADDRESS_TYPES.some((type) => type === record.type))
        changes.get(`${zone.domainId} ${record.name}`)?.removed.push(record);
  }
  return [...changes.values()];
}

/** An ALIAS record that replaces addresses shows these until its target is known, so that the name always has some. */
export function firstAddresses({ removed }: AliasChange): AliasAddresses {
  const addresses: Partial<Record<AddressType, AddressSet>> = {};
  for (const type of ADDRESS_TYPES) {
    const records = removed.filter((record) => record.type === type);
    if (records.length > 0)
      addresses[type] = {
        addresses: records.map((record) => record.toState().content).toSorted(),
        ttl: Math.min(...records.map(({ ttl }) => ttl)),
      };
  }
  return addresses;
}

function toRows(change: AliasChange, at: Date): AliasRow[] {
  const { domainId, name, target } = change;
  return target === undefined
    ? []
    : [rowOf(AliasTable, { domainId, name, target, addresses: firstAddresses(change), dueAt: at })];
}

export function parseAddresses(text: string): AliasAddresses {
  return JSON.parse(text) as AliasAddresses;
}

/** As resolvers are asked for it: a single label is stored with a dot. */
function targetOf(record: DnsRecord): string {
  return record.toState().content.replace(/\.$/, '');
}
