import { apexTtlWarning, isApexNs } from '../../../domain/dns/delegation/apex-ns';
import { keptRecordConflicts } from '../../../domain/dns/delegation/sub-zone';
import { ZoneVersionMismatch, type RecordConflict } from '../../../domain/dns/dns-errors';
import type { HostedName } from '../../../domain/dns/hosted-name';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { ROOT } from '../../../domain/dns/records/record-name';
import { writtenDnameOwners, type Zone, type ZoneHead } from '../../../domain/dns/zone';
import { writtenRecords, type ZoneChange } from '../../../domain/dns/zone-change';
import type { WrittenZone } from '../../audit/zone-audit';
import type { ZoneState } from '../../ports/dns/publishing';
import type { ZoneWrite } from '../../ports/dns/zone-repository';
import { runCooperatively } from '../../shared/run-cooperatively';
import type { ZoneLimitSettings } from '../dns-settings';
import { assertNotOfService, assertWithinLimits, throwFirst } from './change-rules';
import { CurrentZone, type ZoneLoader } from './zone-loader';
import type { Written, ZoneDecision, ZoneWriting } from './zone-request';

/** Its change leaves out the records that it would only confirm. */
interface Decision<T> extends ZoneDecision<T> {
  readonly confirmed: readonly DnsRecord[];
}

interface Parts<T> {
  readonly writing: ZoneWriting<T>;
  readonly decision: Decision<T>;
  readonly name: HostedName;
  readonly before: ZoneHead;
  /** `before` itself if nothing changes. */
  readonly after: ZoneHead;
  /** The zone's records before all of its changes, at the names that have been read. */
  readonly stored: ReadonlyMap<string, readonly DnsRecord[]>;
  readonly warnings: readonly string[];
  /** The changes of reverse zones that are written with it. */
  readonly ptrs: readonly AcceptedChange<readonly string[]>[];
}

/** A change that passed every check and is not written yet. */
export class AcceptedChange<T = unknown> {
  constructor(private readonly parts: Parts<T>) {}

  get writing(): ZoneWriting<T> {
    return this.parts.writing;
  }

  get decision(): Decision<T> {
    return this.parts.decision;
  }

  get change(): ZoneChange {
    return this.parts.decision.change;
  }

  get name(): HostedName {
    return this.parts.name;
  }

  get before(): ZoneHead {
    return this.parts.before;
  }

  get after(): ZoneHead {
    return this.parts.after;
  }

  get ptrs(): Parts<T>['ptrs'] {
    return this.parts.ptrs;
  }

  get isChanged(): boolean {
    return this.after !== this.before;
  }

  /** As the zone is published with it. */
  get published(): ZoneState {
    return { domainId: this.before.domainId, zoneName: this.name.name, serial: this.after.serial };
  }

  with(other: Partial<Pick<Parts<T>, 'writing' | 'name' | 'before' | 'after'>>): AcceptedChange<T> {
    return new AcceptedChange({ ...this.parts, ...other });
  }

  withPtrs({ ptrs, warnings }: Pick<Parts<T>, 'ptrs' | 'warnings'>): AcceptedChange<T> {
    return new AcceptedChange({ ...this.parts, ptrs, warnings: [...this.parts.warnings, ...warnings] });
  }

  writeAt(at: Date): ZoneWrite {
    const { actor } = this.writing.request;
    return { zone: this.before, change: this.change, by: { actor, at }, stored: this.parts.stored };
  }

  auditedAt(at: Date): WrittenZone {
    const { request } = this.writing;
    const { id, name } = this.name;
    const { change } = this;
    return {
      at,
      requester: request,
      domain: { id, name },
      change,
      version: this.after.version,
      isState: request.isState,
    };
  }

  /** What its caller is told once it is written. */
  get written(): Written<T> {
    const reverse = this.ptrs.filter(({ isChanged }) => isChanged);
    return {
      result: this.decision.result,
      zone: this.published,
      reverseZones: reverse.map(({ published }) => published),
      zoneVersion: this.after.version,
      isChanged: this.isChanged,
      isServedChanged: this.after.serial !== this.before.serial,
      historyBytes: [this, ...reverse].reduce((sum, { change }) => sum + historyBytesOf(change), 0),
      warnings: this.parts.warnings,
    };
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
): Promise<readonly AcceptedChange<T>[]> {
  const decisions = await Promise.allSettled(writings.map(({ writing, loader }) => decideOn(loader, writing, limits)));
  await Promise.all(
    writings.map(async ({ loader }, index) => {
      const decision = decisions[index];
      if (decision?.status === 'fulfilled') await loader.load(loader.zone.namesChecked(decision.value.change));
    }),
  );
  const accepted: AcceptedChange<T>[] = [];
  for (const [index, { writing, loader }] of writings.entries()) {
    try {
      const decision = await (loader.zone.isUnchanged
        ? unwrapSettled(decisions[index])
        : decideOn(loader, writing, limits));
      await assertFits(writing, decision.change);
      accepted.push(await check(loader, writing, decision));
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

/** @throws ZoneVersionMismatch, what `decide` of the writing throws */
async function decideOn<T>(
  loader: ZoneLoader,
  { request: { actor, expectedVersions }, decide }: ZoneWriting<T>,
  limits: ZoneLimitSettings,
): Promise<Decision<T>> {
  const { version } = loader.zone.head;
  if (expectedVersions && !expectedVersions.includes(version)) throw new ZoneVersionMismatch(version);
  const decided = await decide(new CurrentZone(loader, actor, limits));
  const { added, changed, removed } = decided.change;
  return {
    ...decided,
    change: { added, changed: changed.filter((each) => !isConfirmation(each)), removed },
    confirmed: changed.filter(isConfirmation).map(({ after }) => after),
  };
}

/** @throws LimitedKey, RecordConflict, LimitExceeded, ItemsRejected */
async function check<T>(
  loader: ZoneLoader,
  writing: ZoneWriting<T>,
  decision: Decision<T>,
): Promise<AcceptedChange<T>> {
  const { zone, reader } = loader;
  const before = zone.head;
  const { accountId, actor } = writing.request;
  const { change, placeOf } = decision;
  await assertNotOfService(reader, before, decision, actor);
  assertWithinLimits(actor, change);
  const below = await loader.namesBelow(writtenDnameOwners(change));
  await loader.load([...zone.namesChecked(change), ...below]);
  if (!decision.keepsDelegations) throwFirst(changesOfKept(zone, change), actor, placeOf);
  throwFirst(await runCooperatively(zone.apply(change, below), accountId), actor, placeOf);
  const warnings = ttlWarnings(zone, change);
  const { owner: name, head: after, before: stored } = zone;
  return new AcceptedChange({ writing, decision, name, before, after, stored, warnings, ptrs: [] });
}

function changesOfKept(zone: Zone, change: ZoneChange): readonly RecordConflict[] {
  const names = writtenRecords(change).flatMap(({ name, type }) => (type === 'DS' ? [name] : []));
  return keptRecordConflicts(zone.owner.name, change, zone.recordsAt([...new Set(names)]));
}

/** If an NS record at the apex was written with a TTL that is not served. */
function ttlWarnings(zone: Zone, change: ZoneChange): readonly string[] {
  if (!writtenRecords(change).some(isApexNs)) return [];
  const warning = apexTtlWarning(zone.recordsAt([ROOT]), zone.owner.nameservers);
  return warning === undefined ? [] : [warning];
}

function isConfirmation({ before, after }: ZoneChange['changed'][number]): boolean {
  return before.hasSameValues(after);
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
