import { inject, injectable } from '../../ports/inject';
import type { HostedName } from '../../../domain/dns/hosted-name';
import { touchesPtr } from '../../../domain/dns/records/ptr-changes';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { ServiceError } from '../../../domain/shared/service-error';
import { requireChangeableName } from '../../access/require-domain';
import { Zone, type ZoneHead } from '../../../domain/dns/zone';
import { changesServedZone, sizeOf, type ZoneChange } from '../../../domain/dns/zone-change';
import { ZoneReader } from '../../ports/dns/zone-repository';
import { GlueChanges } from '../../ports/dns/glue-changes';
import { HostedNameReader } from '../../ports/dns/hosted-names';
import type { ZoneState } from '../../ports/dns/publishing';
import { UnitOfWork, type CommitStore, type Stores } from '../../ports/storage/unit-of-work';
import { settleAll } from '../../shared/settle-all';
import { runCooperatively } from '../../shared/run-cooperatively';
import { acceptEach, type AcceptedChange } from './accepted-change';
import { batchedRecords, NOTHING_STORED, ZoneLoader, type RecordsOfZones } from './zone-loader';
import { ZoneLimitSettings } from '../dns-settings';
import { assertNotOfService, assertRecordsNeedNoApproval } from './change-rules';
import { ZoneSigner } from '../signing/zone-signer';
import { PtrWritings, type AcceptPtrs, type PtrPlan } from './ptr-writings';
import { changedRecords, newWarnings, type ZonePlan } from './zone-plan';
import { WriteChanges } from './write-changes';
import type { Written, ZoneRequest, ZoneWriting } from './zone-request';
import { DnsRecord } from '../../../domain/dns/records/dns-record';
import type { Requester } from '../../../domain/access/actor';

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
    @inject(ZoneLimitSettings) private readonly limits: ZoneLimitSettings,
    @inject(ZoneSigner) private readonly signer: Pick<ZoneSigner, 'prepareChange'>,
    @inject(GlueChanges) private readonly glue: GlueChanges,
    @inject(PtrWritings) private readonly ptrs: PtrWritings,
    @inject(WriteChanges) private readonly changes: Pick<WriteChanges, 'execute'>,
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
        const { change } = accepted;
        isLong = sizeOf(change) > LONG_CHANGE;
        await this.zones.prepare(change);
        if (isLong && changesServedZone(change)) await this.signer.prepareChange(accepted.before.domainId, change);
      }
      const ptrs = accepted && (await this.planPtrs(this.names, accepted));
      const committed =
        accepted &&
        (await this.unitOfWork.run(
          async (stores) => {
            const [zone, name] = await lockZone(stores, writing.request);
            if (zone.version !== accepted.before.version) return undefined;
            // The version stays when DNSSEC is switched on.
            await assertNotOfService(stores.zones, zone, accepted.decision, writing.request.actor);
            return this.writeOne(
              stores,
              await this.ptrs.accept(accepted.with({ name }), ptrs, this.acceptLockedIn(stores)),
            );
          },
          accountId,
          { isLong },
        ));
      if (committed) return committed;
    }
    return this.unitOfWork.run(
      async (stores) => {
        const accepted = await this.acceptLocked(stores, writing);
        const ptrs = await this.planPtrs(stores.hostedNames, accepted);
        return this.writeOne(stores, await this.ptrs.accept(accepted, ptrs, this.acceptLockedIn(stores)));
      },
      accountId,
      { isLong },
    );
  }

  /**
   * In one transaction, those of one zone in their order; waits for no zone. A refusal does not affect the others; any other
   * failure, and that of a hook, fails all, and nothing is written. `take` returns the writings once the transaction has begun,
   * and the same ones again if it is repeated.
   * Returns for each what was written, why the rules forbid it, or undefined if another writer holds the zone or it changes reverse zones.
   */
  async together<T>(
    take: () => readonly ZoneWriting<T>[],
  ): Promise<readonly (Written<T> | ServiceError | undefined)[]> {
    return this.unitOfWork.run(async (stores) => {
      const writings = take();
      const outcomes = new Map<ZoneWriting<T>, Written<T> | ServiceError>();
      const left = new Set<string>();
      const refuse = (writing: ZoneWriting<T>, error: unknown): void => {
        if (error instanceof LeftForItsOwnTransaction) return;
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
      // Changes of a zone keep their order, so those after it wait, too.
      const assertFits = async ({ request }: ZoneWriting<T>, change: ZoneChange): Promise<void> => {
        const { domainId } = request;
        const zone = loaders.get(domainId)?.zone;
        if (zone) await assertRecordsNeedNoApproval(request, zone.owner, { version: zone.head.version, change });
        if (!left.has(domainId) && !touchesPtr(change)) return;
        left.add(domainId);
        throw new LeftForItsOwnTransaction();
      };
      const accepted = await acceptEach(loading, this.limits, refuse, assertFits);
      await this.changes.execute(stores, accepted);
      for (const one of accepted) outcomes.set(one.writing, one.written);
      return writings.map((writing) => outcomes.get(writing));
    });
  }

  /**
   * Runs every check of a write and warns of what would be unusual; writes nothing.
   * @throws as `alone`, ApprovalNeeded if the request asks for that
   */
  async plan<T>(writing: ZoneWriting<T>): Promise<ZonePlan<T>> {
    for (let attempt = 0; attempt < DECISIONS_BEFORE_LOCKING; attempt += 1) {
      const accepted = await this.acceptUnlocked(writing);
      const plan =
        accepted && (await this.planOf(this.zones, this.names, accepted, (each) => this.acceptUnlocked(each)));
      if (plan && (await this.isUnchanged(accepted.before))) return plan;
    }
    return this.unitOfWork.run(async (stores) => {
      const accepted = await this.acceptLocked(stores, writing);
      return this.planOf(stores.zones, stores.hostedNames, accepted, this.acceptLockedIn(stores));
    }, writing.request.accountId);
  }

  /** In a unit of work of the caller, which waits for the zone. @throws as `alone` */
  async within<T>(stores: Pick<Stores, CommitStore>, writing: ZoneWriting<T>): Promise<Written<T>> {
    return this.writeOne(stores, await this.acceptLocked(stores, writing));
  }

  /** Decides and checks the first change of a zone that is to be created, so that no transaction is open meanwhile. @throws as `alone` */
  async acceptFirst<T>(name: HostedName, writing: ZoneWriting<T>): Promise<AcceptedChange<T>> {
    const zone = { domainId: name.id, version: 0, serial: 0, recordCount: 0 };
    const accepted = await this.acceptOne(NOTHING_STORED, writing, name, zone);
    await this.zones.prepare(accepted.change);
    return accepted;
  }

  /** In the unit of work that has created the zone: writes what `acceptFirst` accepted, which is decided again if the zone has records by now. */
  async writeFirst<T>(stores: Pick<Stores, CommitStore>, accepted: AcceptedChange<T>): Promise<Written<T>> {
    const [before] = await lockZone(stores, accepted.writing.request);
    if (before.recordCount > 0) return this.within(stores, accepted.writing);
    const { version, serial, recordCount } = accepted.after;
    const after = { ...before, version: before.version + version, serial: before.serial + serial, recordCount };
    return this.writeOne(stores, accepted.with({ before, after: accepted.isChanged ? after : before }));
  }

  /** In the unit of work that ends a zone: removes the PTR records of its addresses. Returns the reverse zones. @throws ApprovalNeeded */
  async withdrawPtrs(
    stores: Pick<Stores, CommitStore>,
    requester: Requester,
    name: HostedName,
  ): Promise<readonly ZoneState[]> {
    const zone = await stores.zones.lock(name.id);
    if (!zone) return [];
    const records = (await (await stores.zones.past(zone)).records()).filter(({ ptr }) => ptr);
    const removed = records.map((state) => DnsRecord.fromState(state));
    const reverseZones = new Map<string, ZoneState>();
    for (const writing of await this.ptrs.planWithdrawal(stores.hostedNames, requester, name, removed)) {
      const { ptrs } = await this.ptrs.acceptEach({ writings: [writing], warnings: [] }, this.acceptLockedIn(stores));
      for (const { name: reverse, before, change } of ptrs)
        await assertRecordsNeedNoApproval({ ...requester, domainId: before.domainId }, reverse, {
          version: before.version,
          change,
        });
      await this.changes.execute(stores, ptrs);
      for (const { isChanged, before, published } of ptrs) if (isChanged) reverseZones.set(before.domainId, published);
    }
    return [...reverseZones.values()];
  }

  /** Undefined if the zone changed meanwhile. */
  private async acceptUnlocked<T>(writing: ZoneWriting<T>): Promise<AcceptedChange<T> | undefined> {
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
  ): Promise<AcceptedChange<T>> {
    const [zone, name] = await lockZone(stores, writing.request);
    return this.acceptOne(stores.zones, writing, name, zone);
  }

  private planPtrs<T>(
    known: Pick<HostedNameReader, 'among'>,
    { name, writing, decision }: AcceptedChange<T>,
  ): Promise<PtrPlan> {
    return this.ptrs.plan(known, writing.request, name, decision);
  }

  private acceptLockedIn(stores: Pick<Stores, 'hostedNames' | 'zones'>): AcceptPtrs {
    return (writing) => this.acceptLocked(stores, writing);
  }

  private async acceptOne<T>(
    records: RecordsOfZones,
    writing: ZoneWriting<T>,
    name: HostedName,
    zone: ZoneHead,
  ): Promise<AcceptedChange<T>> {
    const loader = this.loaderOf(records, name, zone);
    const [accepted] = await acceptEach([{ writing, loader }], this.limits, (_writing, error) => {
      throw error;
    });
    return accepted as AcceptedChange<T>;
  }

  private loaderOf(records: RecordsOfZones, name: HostedName, head: ZoneHead): ZoneLoader {
    return new ZoneLoader(records, new Zone(name, head, this.limits));
  }

  private async isUnchanged({ domainId, version }: ZoneHead): Promise<boolean> {
    return (await this.zones.find(domainId))?.version === version;
  }

  private async planOf<T>(
    zones: RecordsOfZones,
    names: Pick<HostedNameReader, 'among' | 'nameserversAmong'>,
    accepted: AcceptedChange<T>,
    accept: AcceptPtrs,
  ): Promise<ZonePlan<T>> {
    const { writing, before, name, change } = accepted;
    const { result } = accepted.decision;
    const ofPtrs = await this.ptrs.acceptEach(await this.planPtrs(names, accepted), accept);
    if (writing.request.isPlanJudged) await assertNeedsNoApproval(accepted.withPtrs(ofPtrs));
    const records = await (await zones.past(before)).records();
    const { accountId, actor } = writing.request;
    const warnings = await runCooperatively(newWarnings(name, records, change, actor), accountId);
    const notes = await this.glue.notes(names, { zone: name, change }, changedRecords(records, change), actor);
    return { zoneVersion: before.version, change, result, warnings: [...warnings, ...notes, ...ofPtrs.warnings] };
  }

  private async writeOne<T>(stores: Pick<Stores, CommitStore>, accepted: AcceptedChange<T>): Promise<Written<T>> {
    await assertNeedsNoApproval(accepted);
    await this.changes.execute(stores, [accepted]);
    return accepted.written;
  }
}

/** With the changes of reverse zones. @throws ApprovalNeeded */
async function assertNeedsNoApproval<T>({ writing, name, before, change, ptrs }: AcceptedChange<T>): Promise<void> {
  await assertRecordsNeedNoApproval(writing.request, name, { version: before.version, change }, ptrs);
}

/** For another transaction, which can lock reverse zones as well. */
class LeftForItsOwnTransaction extends Error {}

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
