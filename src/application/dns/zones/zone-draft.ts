import type { Actor } from '../../../domain/access/actor';
import { maySeeRecord } from '../../../domain/access/key-permissions';
import type { HostedName } from '../../../domain/dns/hosted-name';
import { namesAbove } from '../../../domain/dns/zone-rules';
import { RecordNotFound, ZoneVersionMismatch } from '../../../domain/dns/errors';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { ROOT } from '../../../domain/dns/records/record-name';
import { groupedBy } from '../../../domain/shared/grouped-by';
import type { ZoneState } from '../../ports/dns/zone-publisher';
import type { ChangedRecord, LockedZone, ZoneChange, ZonePlaces, ZoneReader } from '../../ports/dns/zone-repository';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import { batched } from '../../shared/batched';
import type { ZoneLimitSettings } from '../dns-settings';
import {
  assertAllowed,
  assertNotOfService,
  assertWithinLimits,
  writtenDnameOwners,
  namesChecked,
} from './change-rules';
import type { CurrentZone, Decide, ZoneDecision, ZoneRequest } from './zone-request';

/** A requested change of one zone. */
export interface ZoneWriting<T> {
  readonly request: ZoneRequest;
  readonly decide: Decide<T>;
  readonly hook?: TransactionHook<Committed<T>>;
}

export interface Committed<T> {
  readonly result: T;
  readonly zone: ZoneState;
  readonly zoneVersion: number;
  readonly isChanged: boolean;
  /** About how much the zone's history grew. */
  readonly historyBytes: number;
}

/** Its change leaves out the records that it would only confirm. */
export interface Decision<T> extends ZoneDecision<T> {
  readonly confirmed: readonly DnsRecord[];
}

/** A change that passed every check and is not written yet. */
export interface Accepted<T> {
  readonly writing: ZoneWriting<T>;
  readonly name: HostedName;
  readonly decision: Decision<T>;
  readonly before: LockedZone;
  /** `before` itself if nothing changes. */
  readonly after: LockedZone;
  /** The zone's records before all of its changes, at the names that have been read. */
  readonly stored: ReadonlyMap<string, readonly DnsRecord[]>;
}

interface DraftWriting<T> {
  readonly writing: ZoneWriting<T>;
  readonly draft: ZoneDraft;
}

export type RecordsOfZones = Omit<ZoneReader, 'find'>;

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

/** A zone with the changes accepted so far. Records are read when a change needs them; nothing is written. */
export class ZoneDraft {
  /** As the accepted changes leave them, by id; null if removed. */
  private readonly touched = new Map<string, DnsRecord | null>();
  /** As stored, by id. */
  private readonly read = new Map<string, DnsRecord>();
  /** As stored, by name. */
  private readonly neighbors = new Map<string, DnsRecord[]>();

  constructor(
    private readonly reader: RecordsOfZones,
    private readonly name: HostedName,
    private current: LockedZone,
  ) {}

  get zone(): LockedZone {
    return this.current;
  }

  get isUnchanged(): boolean {
    return this.touched.size === 0;
  }

  /** @throws ZoneVersionMismatch, what `decide` of the writing throws */
  async decide<T>(
    { request: { actor, expectedVersions }, decide }: ZoneWriting<T>,
    { types }: ZoneLimitSettings,
  ): Promise<Decision<T>> {
    if (expectedVersions && !expectedVersions.includes(this.current.version))
      throw new ZoneVersionMismatch(this.current.version);
    const { accountId, name: zoneName, nameservers: delegation } = this.name;
    const decided = await decide({ accountId, zoneName, delegation, types, ...this.lookup(actor) });
    const { added, changed, removed } = decided.change;
    return {
      ...decided,
      change: { added, changed: changed.filter((each) => !isConfirmation(each)), removed },
      confirmed: changed.filter(isConfirmation).map(({ after }) => after),
    };
  }

  /** The names whose stored records the check of `change` needs, and that are not loaded. */
  missingNeighbors(change: ZoneChange, limits: ZoneLimitSettings): readonly string[] {
    return namesChecked(change, limits).filter((name) => !this.neighbors.has(name));
  }

  load(names: Iterable<string>, records: readonly DnsRecord[]): void {
    for (const name of names) this.neighbors.set(name, []);
    for (const record of records) this.neighbors.get(record.name)?.push(record);
  }

  /** Needs the neighbors loaded. @throws LimitedKey, RecordConflict, LimitExceeded, ItemsRejected */
  async accept<T>(writing: ZoneWriting<T>, decision: Decision<T>, limits: ZoneLimitSettings): Promise<Accepted<T>> {
    const before = this.current;
    const { accountId, actor } = writing.request;
    const { change } = decision;
    assertWithinLimits(actor, change);
    const below = await this.namesBelow(writtenDnameOwners(change));
    const stored = await this.loadedAt([...new Set([...namesChecked(change, limits), ...below])]);
    await assertAllowed({ zone: before, stored, limits, accountId, actor }, decision);
    this.take(change);
    return { writing, name: this.name, decision, before, after: this.current, stored: this.neighbors };
  }

  private take(change: ZoneChange): void {
    if (changesNothing(change)) return;
    const { added, changed, removed } = change;
    for (const { id } of removed) this.touched.set(id, null);
    for (const { after } of changed) this.touched.set(after.id, after);
    for (const record of added) this.touched.set(record.id, record);
    const { domainId, version, serial, recordCount } = this.current;
    this.current = {
      domainId,
      version: version + 1,
      serial: serial + 1,
      recordCount: recordCount + added.length - removed.length,
    };
  }

  private recordsAt(names: readonly string[]): readonly DnsRecord[] {
    const stored = names.flatMap((name) => this.neighbors.get(name) ?? []);
    if (this.isUnchanged) return stored;
    const wanted = new Set(names);
    const touched = [...this.touched.values()].filter((record) => record !== null);
    return [...stored.filter(({ id }) => !this.touched.has(id)), ...touched.filter(({ name }) => wanted.has(name))];
  }

  private async namesBelow(owners: readonly string[]): Promise<readonly string[]> {
    const { domainId } = this.current;
    const stored = await Promise.all(owners.map((owner) => this.reader.namesBelow(domainId, owner)));
    const touched = [...this.touched.values()].map((record) => record?.name ?? ROOT);
    return [...stored.flat(), ...touched.filter((name) => namesAbove(name).some((above) => owners.includes(above)))];
  }

  private async loadedAt(names: readonly string[]): Promise<readonly DnsRecord[]> {
    const missing = names.filter((name) => !this.neighbors.has(name));
    if (missing.length > 0) {
      const found = await this.reader.recordsAt([{ domainId: this.current.domainId, names: missing }]);
      this.load(missing, found.get(this.current.domainId) ?? []);
    }
    return this.recordsAt(names);
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
      recordsAt: (names) => this.loadedAt(names),
      past: async () => {
        if (!this.isUnchanged) throw new Error('the past of a zone cannot be read between changes of one transaction');
        return this.reader.past(this.current);
      },
    };
  }

  private async records(ids: readonly string[], actor: Actor): Promise<ReadonlyMap<string, DnsRecord>> {
    const unknown = ids.filter((id) => !this.read.has(id) && !this.touched.has(id));
    if (unknown.length > 0)
      for (const record of await this.reader.findRecords(this.current.domainId, unknown))
        this.read.set(record.id, record);
    const found = new Map<string, DnsRecord>();
    for (const id of ids) {
      const touched = this.touched.get(id);
      const record = touched === undefined ? this.read.get(id) : touched;
      if (record && maySeeRecord(actor, record)) found.set(id, record);
    }
    return found;
  }
}

/**
 * Decides and validates writings in order, each after the accepted ones of its zone. A first pass finds the records that
 * they need, so that all are read together. An error thrown by `refuse` ends the group.
 */
export async function acceptEach<T>(
  reader: RecordsOfZones,
  writings: readonly DraftWriting<T>[],
  limits: ZoneLimitSettings,
  refuse: (writing: ZoneWriting<T>, error: unknown) => void,
): Promise<readonly Accepted<T>[]> {
  const decisions = await Promise.allSettled(writings.map(({ writing, draft }) => draft.decide(writing, limits)));
  await loadNeighbors(
    reader,
    writings.flatMap(({ draft }, index) => {
      const decision = decisions[index];
      return decision?.status === 'fulfilled' ? [{ draft, change: decision.value.change }] : [];
    }),
    limits,
  );
  const accepted: Accepted<T>[] = [];
  for (const [index, { writing, draft }] of writings.entries()) {
    try {
      const decision = await (draft.isUnchanged ? resultOf(decisions[index]) : draft.decide(writing, limits));
      await loadNeighbors(reader, [{ draft, change: decision.change }], limits);
      await assertNotOfService(reader, draft.zone, decision);
      accepted.push(await draft.accept(writing, decision, limits));
    } catch (error) {
      refuse(writing, error);
    }
  }
  return accepted;
}

async function loadNeighbors(
  reader: RecordsOfZones,
  changes: readonly { readonly draft: ZoneDraft; readonly change: ZoneChange }[],
  limits: ZoneLimitSettings,
): Promise<void> {
  const missing = new Map<ZoneDraft, Set<string>>();
  for (const { draft, change } of changes) {
    const names = draft.missingNeighbors(change, limits);
    if (names.length > 0) missing.set(draft, new Set([...(missing.get(draft) ?? []), ...names]));
  }
  if (missing.size === 0) return;
  const found = await reader.recordsAt(
    [...missing].map(([{ zone }, names]) => ({ domainId: zone.domainId, names: [...names] })),
  );
  for (const [draft, names] of missing) draft.load(names, found.get(draft.zone.domainId) ?? []);
}

async function resultOf<T>(settled: PromiseSettledResult<T> | undefined): Promise<T> {
  if (settled?.status !== 'fulfilled') throw settled?.reason;
  return settled.value;
}

function isConfirmation({ before, after }: ChangedRecord): boolean {
  return before.hasSameValues(after);
}

export function changesNothing({ added, changed, removed }: ZoneChange): boolean {
  return added.length + changed.length + removed.length === 0;
}
