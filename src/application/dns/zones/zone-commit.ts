import { inject, injectable } from '../../ports/inject';
import type { HostedName } from '../../../domain/dns/hosted-name';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { ServiceError } from '../../../domain/shared/service-error';
import { zoneChanged } from '../../audit/zone-audit';
import { requireChangeableName } from '../../access/require-domain';
import { Zone, type ZoneHead } from '../../../domain/dns/zone';
import { changesServedZone, sizeOf, type ZoneChange } from '../../../domain/dns/zone-change';
import { ZoneReader, type PlannedZoneChange } from '../../ports/dns/zone-repository';
import { groupedBy } from '../../../domain/shared/grouped-by';
import { GlueChanges } from '../../ports/dns/glue-changes';
import { HostedNameReader } from '../../ports/dns/hosted-names';
import { UnitOfWork, type HookStore, type Stores } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { settleAll } from '../../shared/settle-all';
import { runCooperatively } from '../../shared/run-cooperatively';
import { acceptEach, batchedRecords, ZoneLoader, type Accepted, type RecordsOfZones } from './zone-loader';
import { ZoneLimitSettings } from '../dns-settings';
import { assertNotOfService } from './change-rules';
import { ZoneSigner } from '../signing/zone-signer';
import { changedRecords, newWarnings, type ZonePlan } from './zone-plan';
import type { Written, ZoneRequest, ZoneWriting } from './zone-request';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';

/** What a commit writes. */
type CommitStore = 'audit' | 'domains' | 'hostedNames' | 'operations' | 'zones' | HookStore;
type CommitStores = Pick<Stores, CommitStore>;

/** A zone that changes more often than this is decided under its lock. */
const DECISIONS_BEFORE_LOCKING = 2;
/** A change of more records takes a tenth of a second and more to write. */
const LONG_CHANGE = 1_000;

/** Decides, validates and writes changes of zones, each with its version, its history and its audit entry. */
@injectable()
export class ZoneCommit {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<CommitStore>,
    @inject(ZoneReader) private readonly zones: ZoneReader,
    @inject(HostedNameReader) private readonly names: HostedNameReader,
    @inject(Clock) private readonly clock: Clock,
    @inject(ZoneLimitSettings) private readonly limits: ZoneLimitSettings,
    @inject(ZoneSigner) private readonly signer: Pick<ZoneSigner, 'prepareChange'>,
    @inject(GlueChanges) private readonly glue: GlueChanges,
  ) {}

  /**
   * In its own transaction; waits for the zone. Decides before the zone is locked, so that others do not wait for that, and
   * again if the zone has changed by then.
   * @throws DomainNotFound, DomainStatusConflict, ZoneVersionMismatch, RecordConflict, LimitExceeded, ItemsRejected, what `decide` throws
   */
  async alone<T>(writing: ZoneWriting<T>): Promise<Written<T>> {
    const { accountId } = writing.request;
    let isLong = false;
    for (let attempt = 0; attempt < DECISIONS_BEFORE_LOCKING; attempt += 1) {
      const accepted = await this.acceptUnlocked(writing);
      if (accepted) {
        const { change } = accepted.decision;
        isLong = sizeOf(change) > LONG_CHANGE;
        await this.zones.prepare(change);
        if (isLong && changesServedZone(change)) await this.signer.prepareChange(accepted.before.domainId, change);
      }
      const committed =
        accepted &&
        (await this.unitOfWork.run(
          async (stores) => {
            const [zone, name] = await lockZone(stores, writing.request);
            if (zone.version !== accepted.before.version) return undefined;
            // The version stays when DNSSEC is switched on.
            await assertNotOfService(stores.zones, zone, accepted.decision, writing.request.actor);
            return this.writeOne(stores, { ...accepted, name });
          },
          accountId,
          { isLong },
        ));
      if (committed) return committed;
    }
    return this.unitOfWork.run(
      async (stores) => this.writeOne(stores, await this.acceptLocked(stores, writing)),
      accountId,
      { isLong },
    );
  }

  /**
   * In one transaction, those of one zone in their order; waits for no zone. A refusal does not affect the others; any other
   * failure, and that of a hook, fails all, and nothing is written. `take` returns the writings once the transaction has begun,
   * and the same ones again if it is repeated.
   * Returns for each what was written, why the rules forbid it, or undefined if another writer holds the zone.
   */
  async together<T>(
    take: () => readonly ZoneWriting<T>[],
  ): Promise<readonly (Written<T> | ServiceError | undefined)[]> {
    return this.unitOfWork.run(async (stores) => {
      const writings = take();
      const outcomes = new Map<ZoneWriting<T>, Written<T> | ServiceError>();
      const refuse = (writing: ZoneWriting<T>, error: unknown): void => {
        if (!(error instanceof ServiceError)) throw error;
        outcomes.set(writing, error);
      };
      const [zones, names] = await settleAll([
        stores.zones.lockFree([...new Set(writings.map(({ request }) => request.domainId))]),
        stores.hostedNames.findEach(writings.map(({ request }) => request)),
      ]);
      const records = batchedRecords(stores.zones);
      const loaders = new Map<string, ZoneLoader>();
      const loading = writings.flatMap((writing, index) => {
        const { domainId } = writing.request;
        try {
          const name = requireChangeableName(names[index], writing.request);
          const zone = zones.get(domainId);
          if (!zone) return [];
          const loader = loaders.get(domainId) ?? this.loaderOf(records, name, zone);
          loaders.set(domainId, loader);
          return [{ writing, loader }];
        } catch (error) {
          refuse(writing, error);
          return [];
        }
      });
      const accepted = await acceptEach(loading, this.limits, refuse);
      await this.write(stores, accepted);
      for (const one of accepted) outcomes.set(one.writing, writtenOf(one));
      return writings.map((writing) => outcomes.get(writing));
    });
  }

  /** Runs every check of a write and warns of what would be unusual; writes nothing. @throws as `alone` */
  async plan<T>(writing: ZoneWriting<T>): Promise<ZonePlan<T>> {
    for (let attempt = 0; attempt < DECISIONS_BEFORE_LOCKING; attempt += 1) {
      const accepted = await this.acceptUnlocked(writing);
      const plan = accepted && (await this.planOf(this.zones, this.names, accepted));
      if (plan && (await this.isUnchanged(accepted.before))) return plan;
    }
    return this.unitOfWork.run(
      async (stores) => this.planOf(stores.zones, stores.hostedNames, await this.acceptLocked(stores, writing)),
      writing.request.accountId,
    );
  }

  /** Undefined if the zone changed meanwhile. */
  private async acceptUnlocked<T>(writing: ZoneWriting<T>): Promise<Accepted<T> | undefined> {
    const { accountId, domainId } = writing.request;
    const zone = await this.zones.find(domainId);
    const name = requireChangeableName(await this.names.find(accountId, domainId), writing.request);
    if (!zone) throw new DomainNotFound();
    try {
      return await this.acceptOne(this.zones, writing, name, zone);
    } catch (error) {
      if (await this.isUnchanged(zone)) throw error;
      return undefined;
    }
  }

  private async acceptLocked<T>(
    stores: Pick<Stores, 'hostedNames' | 'zones'>,
    writing: ZoneWriting<T>,
  ): Promise<Accepted<T>> {
    const [zone, name] = await lockZone(stores, writing.request);
    return this.acceptOne(stores.zones, writing, name, zone);
  }

  private async acceptOne<T>(
    records: RecordsOfZones,
    writing: ZoneWriting<T>,
    name: HostedName,
    zone: ZoneHead,
  ): Promise<Accepted<T>> {
    const loader = this.loaderOf(records, name, zone);
    const [accepted] = await acceptEach([{ writing, loader }], this.limits, (_writing, error) => {
      throw error;
    });
    return accepted as Accepted<T>;
  }

  private loaderOf(records: RecordsOfZones, name: HostedName, head: ZoneHead): ZoneLoader {
    return new ZoneLoader(records, new Zone(name, head, this.limits));
  }

  private async isUnchanged({ domainId, version }: ZoneHead): Promise<boolean> {
    return (await this.zones.find(domainId))?.version === version;
  }

  private async planOf<T>(
    zones: RecordsOfZones,
    names: Pick<HostedNameReader, 'nameserversAmong'>,
    { writing, before, name, decision: { change, result } }: Accepted<T>,
  ): Promise<ZonePlan<T>> {
    const records = await (await zones.past(before)).records();
    const { accountId, actor } = writing.request;
    const warnings = await runCooperatively(newWarnings(name, records, change, actor), accountId);
    const notes = await this.glue.notes(names, { zone: name, change }, changedRecords(records, change), actor);
    return { zoneVersion: before.version, change, result, warnings: [...warnings, ...notes] };
  }

  private async writeOne<T>(stores: CommitStores, accepted: Accepted<T>): Promise<Written<T>> {
    await this.write(stores, [accepted]);
    return writtenOf(accepted);
  }

  /** Few of its statements wait for the result of another one, so on SQLite they travel to the writer together. */
  private async write<T>(stores: CommitStores, accepted: readonly Accepted<T>[]): Promise<void> {
    const { audit, zones } = stores;
    const at = this.clock.now();
    const changes = accepted.filter(({ before, after }) => before !== after);
    await zones.signAhead([...groupedBy(changes, ({ before }) => before.domainId).values()].map(plannedChange));
    await settleAll([
      ...accepted.map(async (one) => one.writing.hook?.(stores, writtenOf(one))),
      zones.apply(
        changes.map(({ writing: { request }, before, decision: { change } }) => ({
          zone: before,
          change,
          by: { actor: request.actor, at },
        })),
      ),
      this.glue.queue(
        stores,
        changes.map(({ name, decision: { change } }) => ({ zone: name, change })),
      ),
      audit.append(
        ...changes.map(({ writing: { request }, name: { id, name }, decision: { change } }) =>
          zoneChanged({ at, requester: request, domain: { id, name }, change }),
        ),
      ),
      ...accepted.map(async ({ before: { domainId }, decision: { confirmed } }) => {
        const [first] = confirmed;
        const ids = confirmed.map(({ id }) => id);
        if (first) await zones.confirm(domainId, ids, first.toState().updatedAt);
      }),
    ]);
  }
}

/** @param ofZone the writings of one zone */
function plannedChange<T>(ofZone: readonly Accepted<T>[]): PlannedZoneChange {
  const [first] = ofZone as [Accepted<T>];
  return { zone: first.before, changes: ofZone.map(({ decision }) => decision.change), stored: first.stored };
}

function writtenOf<T>({ name, before, after, warnings, decision: { result, change } }: Accepted<T>): Written<T> {
  return {
    result,
    zone: { domainId: before.domainId, zoneName: name.name, serial: after.serial },
    zoneVersion: after.version,
    isChanged: after !== before,
    isServedChanged: after.serial !== before.serial,
    historyBytes: historyBytesOf(change),
    warnings,
  };
}

/** @throws DomainNotFound, DomainStatusConflict */
async function lockZone(
  { hostedNames, zones }: Pick<Stores, 'hostedNames' | 'zones'>,
  request: ZoneRequest,
): Promise<readonly [ZoneHead, HostedName]> {
  const { accountId, domainId } = request;
  const [zone, [found]] = await settleAll([zones.lock(domainId), hostedNames.findEach([{ accountId, domainId }])]);
  const name = requireChangeableName(found, request);
  if (!zone) throw new DomainNotFound();
  return [zone, name];
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
