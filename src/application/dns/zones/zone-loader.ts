import type { Actor } from '../../../domain/access/actor';
import { maySeeRecord } from '../../../domain/access/key-permissions';
import { apexTtlWarning, isApexNs } from '../../../domain/dns/delegation/apex-ns';
import { RecordNotFound, ZoneVersionMismatch, type RecordConflict } from '../../../domain/dns/dns-errors';
import type { HostedName } from '../../../domain/dns/hosted-name';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { ROOT } from '../../../domain/dns/records/record-name';
import { typesOf } from '../../../domain/dns/records/types/record-types';
import { keptRecordConflicts } from '../../../domain/dns/delegation/sub-zone';
import { writtenDnameOwners, type Zone, type ZoneHead } from '../../../domain/dns/zone';
import { writtenRecords, type ChangedRecord, type ZoneChange } from '../../../domain/dns/zone-change';
import { groupedBy } from '../../../domain/shared/grouped-by';
import type { ZoneState } from '../../ports/dns/publishing';
import type { ZonePlaces, ZoneReader } from '../../ports/dns/zone-repository';
import { batched } from '../../shared/batched';
import { runCooperatively } from '../../shared/run-cooperatively';
import type { ZoneLimitSettings } from '../dns-settings';
import { assertNotOfService, assertWithinLimits, throwFirst } from './change-rules';
import type { CurrentZone, Written, ZoneDecision, ZoneWriting } from './zone-request';

/** Its change leaves out the records that it would only confirm. */
interface Decision<T> extends ZoneDecision<T> {
  readonly confirmed: readonly DnsRecord[];
}

/** A change that passed every check and is not written yet. */
export interface Accepted<T> {
  readonly writing: ZoneWriting<T>;
  readonly name: HostedName;
  readonly decision: Decision<T>;
  readonly before: ZoneHead;
  /** `before` itself if nothing changes. */
  readonly after: ZoneHead;
  readonly warnings: readonly string[];
  /** The zone's records before all of its changes, at the names that have been read. */
  readonly stored: ReadonlyMap<string, readonly DnsRecord[]>;
  /** The changes of reverse zones that are written with it. */
  readonly ptrs: readonly Accepted<readonly string[]>[];
}

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

/** Reads the records that changes of one zone need, and applies the changes to it. Writes nothing. */
export class ZoneLoader {
  /** As stored, by id. */
  private readonly read = new Map<string, DnsRecord>();

  constructor(
    private readonly reader: RecordsOfZones,
    readonly zone: Zone,
  ) {}

  /** @throws ZoneVersionMismatch, what `decide` of the writing throws */
  async decide<T>(
    { request: { actor, expectedVersions }, decide }: ZoneWriting<T>,
    { types }: ZoneLimitSettings,
  ): Promise<Decision<T>> {
    const { version } = this.zone.head;
    if (expectedVersions && !expectedVersions.includes(version)) throw new ZoneVersionMismatch(version);
    const { accountId, name: zoneName, nameservers: delegation } = this.zone.owner;
    const current = { accountId, zoneName, delegation, types: typesOf(zoneName, types) };
    const decided = await decide({ ...current, ...this.lookup(actor) });
    const { added, changed, removed } = decided.change;
    return {
      ...decided,
      change: { added, changed: changed.filter((each) => !isConfirmation(each)), removed },
      confirmed: changed.filter(isConfirmation).map(({ after }) => after),
    };
  }

  /** @throws LimitedKey, RecordConflict, LimitExceeded, ItemsRejected */
  async accept<T>(writing: ZoneWriting<T>, decision: Decision<T>): Promise<Accepted<T>> {
    const before = this.zone.head;
    const { accountId, actor } = writing.request;
    const { change, placeOf } = decision;
    await assertNotOfService(this.reader, before, decision, actor);
    assertWithinLimits(actor, change);
    const below = await this.namesBelow(writtenDnameOwners(change));
    await this.load([...this.zone.namesChecked(change), ...below]);
    if (!decision.keepsDelegations) throwFirst(this.changesOfKept(change), actor, placeOf);
    throwFirst(await runCooperatively(this.zone.apply(change, below), accountId), actor, placeOf);
    const warnings = ttlWarnings(this.zone, change);
    return {
      writing,
      name: this.zone.owner,
      decision,
      before,
      after: this.zone.head,
      warnings,
      stored: this.zone.before,
      ptrs: [],
    };
  }

  private changesOfKept(change: ZoneChange): readonly RecordConflict[] {
    const names = writtenRecords(change).flatMap(({ name, type }) => (type === 'DS' ? [name] : []));
    return keptRecordConflicts(this.zone.owner.name, change, this.zone.recordsAt([...new Set(names)]));
  }

  async load(names: readonly string[]): Promise<void> {
    const missing = this.zone.missing(new Set(names));
    if (missing.length === 0) return;
    const { domainId } = this.zone.head;
    const found = await this.reader.recordsAt([{ domainId, names: missing }]);
    this.zone.load(missing, found.get(domainId) ?? []);
  }

  private async namesBelow(owners: readonly string[]): Promise<readonly string[]> {
    const { domainId } = this.zone.head;
    const stored = await Promise.all(owners.map((owner) => this.reader.namesBelow(domainId, owner)));
    return [...stored.flat(), ...this.zone.namesTouchedBelow(owners)];
  }

  /** A record that the actor's key may not see is not found by its id. */
  private lookup(actor: Actor): Pick<CurrentZone, 'record' | 'records' | 'recordsAt' | 'past'> {
    return {
      records: (ids) => this.records(ids, actor),
      record: async (id) => {
        const record = (await this.records([id], actor)).get(id);
        if (!record) throw new RecordNotFound();
        return record;
      },
      recordsAt: async (names) => {
        await this.load(names);
        return this.zone.recordsAt(names);
      },
      past: async () => {
        if (!this.zone.isUnchanged)
          throw new Error('the past of a zone cannot be read between changes of one transaction');
        return this.reader.past(this.zone.head);
      },
    };
  }

  private async records(ids: readonly string[], actor: Actor): Promise<ReadonlyMap<string, DnsRecord>> {
    const unknown = ids.filter((id) => !this.read.has(id) && this.zone.touchedRecord(id) === undefined);
    if (unknown.length > 0)
      for (const record of await this.reader.findRecords(this.zone.head.domainId, unknown))
        this.read.set(record.id, record);
    const found = new Map<string, DnsRecord>();
    for (const id of ids) {
      const touched = this.zone.touchedRecord(id);
      const record = touched === undefined ? this.read.get(id) : touched;
      if (record && maySeeRecord(actor, record)) found.set(id, record);
    }
    return found;
  }
}

/**
 * Decides and checks writings in order, each after the accepted ones of its zone. A first pass finds the records that they need, so
 * that all are read together. An error thrown by `refuse` ends the group.
 * @param assertFits throws if the group cannot have the change
 */
export async function acceptEach<T>(
  writings: readonly { readonly writing: ZoneWriting<T>; readonly loader: ZoneLoader }[],
  limits: ZoneLimitSettings,
  refuse: (writing: ZoneWriting<T>, error: unknown) => void,
  assertFits: (writing: ZoneWriting<T>, change: ZoneChange) => Promise<void> | void = () => {},
): Promise<readonly Accepted<T>[]> {
  const decisions = await Promise.allSettled(writings.map(({ writing, loader }) => loader.decide(writing, limits)));
  await Promise.all(
    writings.map(async ({ loader }, index) => {
      const decision = decisions[index];
      if (decision?.status === 'fulfilled') await loader.load(loader.zone.namesChecked(decision.value.change));
    }),
  );
  const accepted: Accepted<T>[] = [];
  for (const [index, { writing, loader }] of writings.entries()) {
    try {
      const decision = await (loader.zone.isUnchanged
        ? unwrapSettled(decisions[index])
        : loader.decide(writing, limits));
      await assertFits(writing, decision.change);
      accepted.push(await loader.accept(writing, decision));
    } catch (error) {
      refuse(writing, error);
    }
  }
  return accepted;
}

async function unwrapSettled<T>(settled: PromiseSettledResult<T> | undefined): Promise<T> {
  if (settled?.status !== 'fulfilled') throw settled?.reason;
  return settled.value;
}

/** If an NS record at the apex was written with a TTL that is not served. */
function ttlWarnings(zone: Zone, change: ZoneChange): readonly string[] {
  if (!writtenRecords(change).some(isApexNs)) return [];
  const warning = apexTtlWarning(zone.recordsAt([ROOT]), zone.owner.nameservers);
  return warning === undefined ? [] : [warning];
}

function isConfirmation({ before, after }: ChangedRecord): boolean {
  return before.hasSameValues(after);
}

export function writtenOf<T>(accepted: Accepted<T>): Written<T> {
  const { before, after, warnings, decision, ptrs } = accepted;
  const reverse = ptrs.filter((each) => each.before !== each.after);
  return {
    result: decision.result,
    zone: publishedState(accepted),
    reverseZones: reverse.map(publishedState),
    zoneVersion: after.version,
    isChanged: after !== before,
    isServedChanged: after.serial !== before.serial,
    historyBytes: [accepted, ...reverse].reduce((sum, each) => sum + historyBytesOf(each.decision.change), 0),
    warnings,
  };
}

export function publishedState({
  name,
  before,
  after,
}: Pick<Accepted<unknown>, 'name' | 'before' | 'after'>): ZoneState {
  return { domainId: before.domainId, zoneName: name.name, serial: after.serial };
}

/** The row of a change without its records, with its share of indexes. */
const CHANGE_BYTES = 150;
/** A stored record without its name and content. */
const RECORD_BYTES = 190;

/** About how many bytes of storage the history of a zone takes for a change. */
function historyBytesOf({ added, changed, removed }: ZoneChange): number {
  let bytes = CHANGE_BYTES;
  for (const record of added) bytes += bytesOf(record);
  for (const { before, after } of changed) bytes += bytesOf(before) + bytesOf(after);
  for (const record of removed) bytes += bytesOf(record);
  return bytes;
}

function bytesOf(record: DnsRecord): number {
  const { name, content, written, comment } = record.toState();
  return RECORD_BYTES + name.length + content.length + (written?.length ?? 0) + (comment?.length ?? 0);
}
