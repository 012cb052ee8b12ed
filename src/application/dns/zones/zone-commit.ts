import { inject, injectable } from 'inversify';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { RecordNotFound, ZoneChangedMeanwhile } from '../../../domain/dns/errors';
import type { Domain } from '../../../domain/registration/domain';
import { DomainNotFound } from '../../../domain/registration/errors';
import { ServiceError } from '../../../domain/shared/service-error';
import { zoneChanged } from '../../audit/zone-audit';
import type { ZoneState } from '../../ports/dns/zone-publisher';
import { ZoneReader, type ChangedRecord, type LockedZone, type ZoneChange } from '../../ports/dns/zone-repository';
import { DomainReader } from '../../ports/registration/domain-repository';
import { UnitOfWork, type TransactionHook, type Stores } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system/clock';
import { settleAll } from '../../settle-all';
import { runCooperatively } from '../../run-cooperatively';
import { assertOutcome, changesNothing, namesWritten } from './zone-judgment';
import { ZoneLimitSettings } from './zone-limit-settings';
import { newWarnings, type ZonePlan } from './zone-plan';
import type { Decide, ZoneDecision, CurrentZone, ZoneRequest } from './zone-request';

/** What is to become of one zone. */
export interface ZoneWriting<T> {
  readonly request: ZoneRequest;
  readonly decide: Decide<T>;
}

export interface Committed<T> {
  readonly result: T;
  readonly zone: ZoneState;
  readonly isChanged: boolean;
}

/** What became of a writing that was to be committed with others. */
export type Outcome<T> =
  | { readonly kind: 'committed'; readonly committed: Committed<T> }
  /** It is not allowed, whoever it is committed with. */
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** Somebody else has the zone in hand. */
  | { readonly kind: 'busy' };

interface Held<T> {
  readonly writing: ZoneWriting<T>;
  readonly domain: Domain;
  readonly zone: LockedZone;
}

/** A change that differs from what is there, and the records that it would have as they are. */
interface Confirming {
  readonly change: ZoneChange;
  readonly confirmed: readonly DnsRecord[];
}

interface Decided<T> extends Held<T> {
  readonly decision: ZoneDecision<T> & Confirming;
}

interface Applied<T> extends Decided<T> {
  /** The zone as it is now: `zone` itself where nothing has changed. */
  readonly after: LockedZone;
}

/** Is told of a writing that is not allowed; where it throws, none is. */
type Refuse<T> = (writing: ZoneWriting<T>, error: ServiceError) => void;

type RecordsOfZones = Omit<ZoneReader, 'find'>;

/** A zone that changes so often is decided under its lock. */
const DECISIONS_BEFORE_LOCKING = 2;

/** Decides, judges and writes changes of zones, each with its version, its history and its audit entry. */
@injectable()
export class ZoneCommit {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ZoneReader) private readonly zones: ZoneReader,
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(Clock) private readonly clock: Clock,
    @inject(ZoneLimitSettings) private readonly limits: ZoneLimitSettings,
  ) {}

  /**
   * In a transaction of its own; waits for the zone. It is decided before the zone is locked, which others do not wait for,
   * and again if the zone has changed by then.
   * @throws DomainNotFound, DomainStatusConflict, ZoneChangedMeanwhile, RecordConflict, LimitExceeded, ItemsRefused, what `decide` throws
   */
  async alone<T>(writing: ZoneWriting<T>, alongside?: TransactionHook<Committed<T>>): Promise<Committed<T>> {
    const { accountId, domainId } = writing.request;
    for (let attempt = 0; attempt < DECISIONS_BEFORE_LOCKING; attempt += 1) {
      const decided = await this.decidedUnlocked(writing);
      const committed =
        decided &&
        (await this.unitOfWork.run(async (stores) => {
          const [zone, domain] = await lockedWith(stores, accountId, domainId);
          return zone.version === decided.zone.version
            ? this.committed(stores, { ...decided, zone, domain }, alongside)
            : undefined;
        }, accountId));
      if (committed) return committed;
    }
    return this.unitOfWork.run(
      async (stores) => this.committed(stores, await this.decidedLocked(stores, writing), alongside),
      accountId,
    );
  }

  /**
   * In one transaction, those of one zone in their order; waits for no zone. What is refused does not keep the others from
   * being written; what fails, fails for all, and nothing is written.
   */
  async together<T>(writings: readonly ZoneWriting<T>[]): Promise<readonly Outcome<T>[]> {
    return this.unitOfWork.run(async (stores) => {
      const outcomes = new Map<ZoneWriting<T>, Outcome<T>>();
      const refuse: Refuse<T> = (writing, error) => outcomes.set(writing, { kind: 'refused', error });
      const [free, domains] = await settleAll([
        stores.zones.lockFree([...new Set(writings.map(({ request }) => request.domainId))]),
        stores.domains.findEach(writings.map(({ request }) => request)),
      ]);
      const zones = new Map(free);
      const known = await allowed(
        writings.map((writing, index) => ({ writing, domain: domains[index] })),
        refuse,
        async ({ writing, domain }) => ({ writing, domain: changeable(domain) }),
      );
      for (const round of inRounds(known)) {
        const held = round.flatMap(({ writing, domain }) => {
          const zone = zones.get(domain.id);
          return zone ? [{ writing, domain, zone }] : [];
        });
        for (const one of await this.applied(stores, await this.judged(stores.zones, held, refuse))) {
          outcomes.set(one.writing, { kind: 'committed', committed: committedOf(one) });
          zones.set(one.domain.id, one.after);
        }
      }
      return writings.map((writing) => outcomes.get(writing) ?? { kind: 'busy' });
    });
  }

  /** By all checks, and no further; with what would be odd about it. @throws as `alone` */
  async plan<T>(writing: ZoneWriting<T>): Promise<ZonePlan<T>> {
    for (let attempt = 0; attempt < DECISIONS_BEFORE_LOCKING; attempt += 1) {
      const decided = await this.decidedUnlocked(writing);
      const plan = decided && (await planOf(this.zones, decided));
      if (plan && (await this.isStill(decided.zone))) return plan;
    }
    return this.unitOfWork.run(
      async (stores) => planOf(stores.zones, await this.decidedLocked(stores, writing)),
      writing.request.accountId,
    );
  }

  /** Undefined where the zone changed meanwhile. */
  private async decidedUnlocked<T>(writing: ZoneWriting<T>): Promise<Decided<T> | undefined> {
    const { accountId, domainId } = writing.request;
    const zone = await this.zones.find(domainId);
    const domain = changeable(await this.domains.find(accountId, domainId));
    if (!zone) throw new DomainNotFound();
    try {
      return await this.judgedAlone(this.zones, { writing, domain, zone });
    } catch (error) {
      if (await this.isStill(zone)) throw error;
      return undefined;
    }
  }

  private async decidedLocked<T>(stores: Stores, writing: ZoneWriting<T>): Promise<Decided<T>> {
    const [zone, domain] = await lockedWith(stores, writing.request.accountId, writing.request.domainId);
    return this.judgedAlone(stores.zones, { writing, domain, zone });
  }

  private async isStill({ domainId, version }: LockedZone): Promise<boolean> {
    return (await this.zones.find(domainId))?.version === version;
  }

  private async judgedAlone<T>(zones: RecordsOfZones, held: Held<T>): Promise<Decided<T>> {
    const [judged] = await this.judged(zones, [held], (_writing, error) => {
      throw error;
    });
    return judged as Decided<T>;
  }

  private async committed<T>(
    stores: Stores,
    decided: Decided<T>,
    alongside?: TransactionHook<Committed<T>>,
  ): Promise<Committed<T>> {
    const [applied] = await this.applied(stores, [decided]);
    const committed = committedOf(applied as Applied<T>);
    await alongside?.(stores, committed);
    return committed;
  }

  /** Of different zones. Nothing is written before all are judged, so that a refusal leaves nothing to undo. */
  private async judged<T>(
    zones: RecordsOfZones,
    held: readonly Held<T>[],
    refuse: Refuse<T>,
  ): Promise<readonly Decided<T>[]> {
    const decided = await allowed(held, refuse, async (one) => ({ ...one, decision: await decision(zones, one) }));
    const neighbors = await zones.recordsAt(
      decided.map(({ zone, decision: { change } }) => ({ domainId: zone.domainId, names: namesWritten(change) })),
    );
    return allowed(decided, refuse, async (one) => {
      await assertOutcome(one.zone, one.decision, neighbors.get(one.zone.domainId) ?? [], this.limits);
      return one;
    });
  }

  /** Of different zones. A decision that changes nothing, or when a record was last confirmed, leaves the version as it is. */
  private async applied<T>({ audit, zones }: Stores, judged: readonly Decided<T>[]): Promise<readonly Applied<T>[]> {
    const at = this.clock.now();
    const changing = judged.filter(({ decision: { change } }) => !changesNothing(change));
    const [raised] = await settleAll([
      zones.apply(
        changing.map(({ writing, zone, decision: { change } }) => ({
          zone,
          change,
          by: { actor: writing.request.actor, at },
        })),
      ),
      audit.append(
        ...changing.map(({ writing, domain, decision: { change } }) =>
          zoneChanged({
            at,
            requester: writing.request,
            domain: { id: domain.id, name: domain.toState().name },
            change,
          }),
        ),
      ),
    ]);
    for (const {
      zone: { domainId },
      decision: { confirmed },
    } of judged) {
      const [first] = confirmed;
      if (first)
        await zones.confirm(
          domainId,
          confirmed.map(({ id }) => id),
          first.toState().updatedAt,
        );
    }
    const now = new Map(raised.map((zone) => [zone.domainId, zone]));
    return judged.map((one) => ({ ...one, after: now.get(one.zone.domainId) ?? one.zone }));
  }
}

function committedOf<T>({ domain, zone, after, decision: { result } }: Applied<T>): Committed<T> {
  return {
    result,
    zone: { domainId: domain.id, zoneName: domain.toState().name, version: after.version },
    isChanged: after !== zone,
  };
}

/** The first of each zone, then the second of each, and so on. */
function inRounds<I extends { readonly domain: Domain }>(items: readonly I[]): readonly (readonly I[])[] {
  const rounds: I[][] = [];
  const counts = new Map<string, number>();
  for (const item of items) {
    const round = counts.get(item.domain.id) ?? 0;
    counts.set(item.domain.id, round + 1);
    (rounds[round] ??= []).push(item);
  }
  return rounds;
}

/** @throws DomainNotFound, DomainStatusConflict */
async function lockedWith(
  { domains, zones }: Stores,
  accountId: string,
  domainId: string,
): Promise<readonly [LockedZone, Domain]> {
  const [zone, [found]] = await settleAll([zones.lock(domainId), domains.findEach([{ accountId, domainId }])]);
  const domain = changeable(found);
  if (!zone) throw new DomainNotFound();
  return [zone, domain];
}

async function planOf<T>(
  zones: RecordsOfZones,
  { zone, domain, decision: { change, result } }: Decided<T>,
): Promise<ZonePlan<T>> {
  const past = await zones.past(zone);
  return {
    zoneVersion: zone.version,
    change,
    result,
    warnings: await runCooperatively(newWarnings(domain.toState(), await past.records(), change)),
  };
}

/** @throws DomainNotFound, DomainStatusConflict */
function changeable(domain: Domain | undefined): Domain {
  if (!domain) throw new DomainNotFound();
  domain.assertAllows('change DNS records');
  return domain;
}

/** Those that `step` takes further, one after the other. What the service does not allow is refused; any other failure is one of all. */
async function allowed<T, I extends { readonly writing: ZoneWriting<T> }, O>(
  items: readonly I[],
  refuse: Refuse<T>,
  step: (item: I) => Promise<O>,
): Promise<readonly O[]> {
  const passed: O[] = [];
  for (const item of items) {
    try {
      passed.push(await step(item));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      refuse(item.writing, error);
    }
  }
  return passed;
}

function withoutConfirmations({ added, changed, removed }: ZoneChange): Confirming {
  return {
    change: { added, changed: changed.filter((each) => !isConfirmation(each)), removed },
    confirmed: changed.filter(isConfirmation).map(({ after }) => after),
  };
}

function isConfirmation({ before, after }: ChangedRecord): boolean {
  return before.saysTheSameAs(after);
}

/** @throws ZoneChangedMeanwhile, what `decide` throws */
async function decision<T>(
  zones: RecordsOfZones,
  { writing: { request, decide }, domain, zone }: Held<T>,
): Promise<Decided<T>['decision']> {
  if (request.expectedVersions && !request.expectedVersions.includes(zone.version))
    throw new ZoneChangedMeanwhile(zone.version);
  const { name: zoneName, nameservers: delegation } = domain.toState();
  const decided = await decide({ zoneName, delegation, past: () => zones.past(zone), ...lookup(zones, zone.domainId) });
  return { ...decided, ...withoutConfirmations(decided.change) };
}

function lookup(zones: RecordsOfZones, domainId: string): Pick<CurrentZone, 'record' | 'records'> {
  const records = async (ids: readonly string[]): Promise<ReadonlyMap<string, DnsRecord>> =>
    new Map((await zones.findRecords(domainId, ids)).map((record) => [record.id, record]));
  return {
    records,
    record: async (id) => {
      const record = (await records([id])).get(id);
      if (!record) throw new RecordNotFound();
      return record;
    },
  };
}
