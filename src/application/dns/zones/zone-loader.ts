import type { Actor } from '../../../domain/access/actor';
import { maySeeRecord } from '../../../domain/access/key-permissions';
import { RecordNotFound } from '../../../domain/dns/dns-errors';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { typesOf, type WritableType } from '../../../domain/dns/records/types/record-types';
import type { Zone } from '../../../domain/dns/zone';
import { groupedBy } from '../../../domain/shared/grouped-by';
import type { ZonePast, ZonePlaces, ZoneReader } from '../../ports/dns/zone-repository';
import { batched } from '../../shared/batched';
import type { ZoneLimitSettings } from '../dns-settings';

export type RecordsOfZones = Omit<ZoneReader, 'find'>;

/** Of a zone that is to be created. */
export const NOTHING_STORED: RecordsOfZones = {
  prepare: async () => {},
  findRecords: async () => [],
  recordsAt: async () => new Map(),
  namesBelow: async () => [],
  isSigned: async () => false,
  past: async () => {
    throw new TypeError('the zone does not exist yet');
  },
};

/** Reads the records that several changes ask for at the same time in one statement. */
export function batchedRecords(reader: RecordsOfZones): RecordsOfZones {
  const recordsOf = batched(async (asked: readonly ZonePlaces[]) => {
    const zones = [...groupedBy(asked, ({ domainId }) => domainId)];
    const found = await reader.recordsAt(
      zones.map(([domainId, places]) => ({ domainId, names: [...new Set(places.flatMap(({ names }) => names))] })),
    );
    return asked.map(({ domainId, names }) => {
      const wanted = new Set(names);
      return (found.get(domainId) ?? []).filter(({ name }) => wanted.has(name));
    });
  });
  return {
    prepare: (change) => reader.prepare(change),
    findRecords: (domainId, ids) => reader.findRecords(domainId, ids),
    past: (zone) => reader.past(zone),
    namesBelow: (domainId, name) => reader.namesBelow(domainId, name),
    isSigned: (domainId) => reader.isSigned(domainId),
    recordsAt: async (places) =>
      new Map(await Promise.all(places.map(async (place) => [place.domainId, await recordsOf(place)] as const))),
  };
}

/** Reads the records that changes of one zone need. */
export class ZoneLoader {
  /** As stored, by id. */
  private readonly read = new Map<string, DnsRecord>();

  constructor(
    readonly reader: RecordsOfZones,
    readonly zone: Zone,
  ) {}

  async load(names: readonly string[]): Promise<void> {
    const missing = this.zone.missing(new Set(names));
    if (missing.length === 0) return;
    const { domainId } = this.zone.head;
    const found = await this.reader.recordsAt([{ domainId, names: missing }]);
    this.zone.load(missing, found.get(domainId) ?? []);
  }

  /** The names with records below some owner names, as the changes leave them. */
  async namesBelow(owners: readonly string[]): Promise<readonly string[]> {
    const { domainId } = this.zone.head;
    const stored = await Promise.all(owners.map((owner) => this.reader.namesBelow(domainId, owner)));
    return [...stored.flat(), ...this.zone.namesTouchedBelow(owners)];
  }

  /** By id, as the changes leave them. */
  async records(ids: readonly string[]): Promise<ReadonlyMap<string, DnsRecord>> {
    const unknown = ids.filter((id) => !this.read.has(id) && this.zone.touchedRecord(id) === undefined);
    if (unknown.length > 0)
      for (const record of await this.reader.findRecords(this.zone.head.domainId, unknown))
        this.read.set(record.id, record);
    const found = new Map<string, DnsRecord>();
    for (const id of ids) {
      const touched = this.zone.touchedRecord(id);
      const record = touched === undefined ? this.read.get(id) : touched;
      if (record) found.set(id, record);
    }
    return found;
  }
}

/** The zone as a decision finds it. A record that the actor's key may not see is not found by its id. */
export class CurrentZone {
  /** Whose turn long work takes. */
  readonly accountId: string;
  readonly zoneName: string;
  readonly delegation: readonly string[];
  /** The record types that may be written. */
  readonly types: readonly WritableType[];

  constructor(
    private readonly loader: ZoneLoader,
    private readonly actor: Actor,
    { types }: ZoneLimitSettings,
  ) {
    const { accountId, name, nameservers } = loader.zone.owner;
    this.accountId = accountId;
    this.zoneName = name;
    this.delegation = nameservers;
    this.types = typesOf(name, types);
  }

  /** @throws RecordNotFound */
  readonly record = async (id: string): Promise<DnsRecord> => {
    const record = (await this.records([id])).get(id);
    if (!record) throw new RecordNotFound();
    return record;
  };

  /** The records of the zone with these ids, by id. */
  readonly records = async (ids: readonly string[]): Promise<ReadonlyMap<string, DnsRecord>> => {
    const found = await this.loader.records(ids);
    return new Map([...found].filter(([, record]) => maySeeRecord(this.actor, record)));
  };

  /** All records of some owner names, in relative form. */
  readonly recordsAt = async (names: readonly string[]): Promise<readonly DnsRecord[]> => {
    await this.loader.load(names);
    return this.loader.zone.recordsAt(names);
  };

  readonly past = async (): Promise<ZonePast> => {
    const { reader, zone } = this.loader;
    if (!zone.isUnchanged) throw new Error('the past of a zone cannot be read between changes of one transaction');
    return reader.past(zone.head);
  };
}
