import { inject, injectable } from '../../ports/inject';
import { SERVICE, type Actor, type Requester } from '../../../domain/access/actor';
import { maySeeDomain, maySeeRecord, mayDo } from '../../../domain/access/key-permissions';
import { ItemsRejected, LimitExceeded, RecordConflict } from '../../../domain/dns/dns-errors';
import type { HostedName } from '../../../domain/dns/hosted-name';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { ptrChanges, touchesPtr, type KeptPtr, type PtrChanges } from '../../../domain/dns/records/ptr-changes';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { ptrPlaceIn, ptrPlaces } from '../../../domain/dns/zone-names/ptr-place';
import { DomainNotFound, DomainStatusConflict } from '../../../domain/shared/domain-errors';
import type { ServiceError } from '../../../domain/shared/service-error';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { HostedNameReader } from '../../ports/dns/hosted-names';
import { Clock, IdGenerator } from '../../ports/system';
import { runCooperatively, type CooperativeTask } from '../../shared/run-cooperatively';
import { decidePtrs, ptrWarning } from './decide-ptrs';
import type { AcceptedChange } from './accepted-change';
import type { ZoneDecision, ZoneRequest, ZoneWriting } from './zone-request';

/** What follows from a change of addresses. */
export interface PtrPlan {
  /** One for each reverse zone, sorted by its id: transactions that lock several do so in this order, after the zone of the addresses. */
  readonly writings: readonly ZoneWriting<readonly string[]>[];
  /** Why some addresses get no PTR record. */
  readonly warnings: readonly string[];
}

/** Reads and checks the change of a reverse zone; undefined if the zone changed meanwhile. */
export type AcceptPtrs = (
  writing: ZoneWriting<readonly string[]>,
) => Promise<AcceptedChange<readonly string[]> | undefined>;

interface AcceptedPtrs {
  readonly ptrs: readonly AcceptedChange<readonly string[]>[];
  readonly warnings: readonly string[];
}

const NONE: PtrPlan = { writings: [], warnings: [] };

/** Keeps the PTR records of addresses with `ptr` in the reverse zones of the account. */
@injectable()
export class PtrWritings {
  constructor(
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * The PTR records that an accepted change takes along. A change that does not ask for a PTR record itself is made even if none is
   * possible.
   * @param known a unit of work passes its own: two that waited for a second connection could wait for each other
   * @throws ValidationError, ItemsRejected if it asks for one
   */
  async plan(
    known: Pick<HostedNameReader, 'among'>,
    { accountId, actor }: Requester,
    name: Pick<HostedName, 'accountId' | 'name'>,
    { change, asksForPtr = [], placeOf }: Pick<ZoneDecision<unknown>, 'change' | 'asksForPtr' | 'placeOf'>,
  ): Promise<PtrPlan> {
    if (!touchesPtr(change)) return NONE;
    const { ofZones, impossible } = await this.place(known, actor, name, change);
    assertPossible(impossible, asksForPtr, placeOf);
    return {
      writings: ofZones.map(([domainId, ptrs]) => this.writing({ accountId, actor, domainId }, ptrs)),
      warnings: impossible.map(({ ptr, problem }) => ptrWarning(ptr, `it ${problem}`)),
    };
  }

  /** What all addresses of a zone leave behind. Each writing is to be written before the next one is accepted: a zone has several. */
  async planWithdrawal(
    known: Pick<HostedNameReader, 'among'>,
    { accountId, actor }: Requester,
    name: Pick<HostedName, 'accountId' | 'name'>,
    removed: readonly DnsRecord[],
  ): Promise<PtrPlan['writings']> {
    const { ofZones } = await this.place(known, actor, name, { added: [], changed: [], removed });
    return ofZones.flatMap(([domainId, ptrs]) =>
      inPieces(ptrs.removed).map((piece) =>
        this.writing({ accountId, actor, domainId }, { removed: piece, added: [] }),
      ),
    );
  }

  private async place(
    known: Pick<HostedNameReader, 'among'>,
    actor: Actor,
    name: Pick<HostedName, 'accountId' | 'name'>,
    change: ZoneChange,
  ): Promise<Places> {
    const changes = ptrChanges(change, name.name);
    const names = await runCooperatively(zoneNames(changes), name.accountId);
    const zones = inAccount(name.accountId, names.size === 0 ? [] : await known.among([...names]));
    const { ofZones, impossible } = await runCooperatively(placed(changes, zones, actor), name.accountId);
    return { ofZones: [...ofZones].toSorted(([one], [other]) => (one < other ? -1 : 1)), impossible };
  }

  private writing(request: ZoneRequest, ptrs: PtrChanges): ZoneWriting<readonly string[]> {
    return { request, decide: decidePtrs(ptrs, this.ids, this.clock) };
  }

  /** With the changes of reverse zones. */
  async accept<T>(
    accepted: AcceptedChange<T>,
    plan: PtrPlan | undefined,
    accept: AcceptPtrs,
  ): Promise<AcceptedChange<T>> {
    return plan ? accepted.withPtrs(await this.acceptEach(plan, accept)) : accepted;
  }

  /** One that the rules forbid is left out, because a change asks for no more than its own zone. */
  async acceptEach(plan: PtrPlan, accept: AcceptPtrs): Promise<AcceptedPtrs> {
    const ptrs: AcceptedChange<readonly string[]>[] = [];
    const warnings = [...plan.warnings];
    for (const writing of plan.writings) {
      try {
        // The records are the service's: a key that may change an address need not see its reverse zone.
        const one = await accept({ ...writing, request: { ...writing.request, actor: SERVICE } });
        if (!one) continue;
        ptrs.push(one.with({ writing }));
        warnings.push(...one.decision.result);
      } catch (error) {
        if (!isForbidden(error)) throw error;
        warnings.push(`The PTR records could not be changed: ${error.details ?? error.message}`);
      }
    }
    return { ptrs, warnings };
  }
}

function isForbidden(error: unknown): error is ServiceError {
  return [RecordConflict, LimitExceeded, DomainNotFound, DomainStatusConflict].some((each) => error instanceof each);
}

function* zoneNames({ removed, added }: PtrChanges): CooperativeTask<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { address } of [...removed, ...added]) {
    yield;
    for (const { zoneName } of ptrPlaces(address)) names.add(zoneName);
  }
  return names;
}

/** By name. Those of other accounts count if they are served, because the addresses in them are theirs; they are null. */
function inAccount(accountId: string, zones: readonly HostedName[]): ReadonlyMap<string, HostedName | null> {
  return new Map(
    zones
      .filter((each) => each.accountId === accountId || each.isServed)
      .map((each) => [each.name, each.accountId === accountId ? each : null]),
  );
}

/** A change of 10,000 records takes a tenth of a second to decide and to write. */
const PTRS_AT_ONCE = 1_000;

function inPieces(ptrs: readonly KeptPtr[]): readonly (readonly KeptPtr[])[] {
  return Array.from({ length: Math.ceil(ptrs.length / PTRS_AT_ONCE) }, (_piece, index) =>
    ptrs.slice(index * PTRS_AT_ONCE, (index + 1) * PTRS_AT_ONCE),
  );
}

/** By the ids of the zones, in their order. */
interface Places {
  readonly ofZones: readonly (readonly [string, PtrChanges])[];
  readonly impossible: readonly Impossible[];
}

interface Impossible {
  readonly ptr: KeptPtr;
  readonly problem: string;
}

/** The changes of each zone, by its id, and what is not possible. */
function* placed(
  { removed, added }: PtrChanges,
  zones: ReadonlyMap<string, HostedName | null>,
  actor: Actor,
): CooperativeTask<{ readonly ofZones: ReadonlyMap<string, PtrChanges>; readonly impossible: readonly Impossible[] }> {
  const ofZones = new Map<string, { removed: KeptPtr[]; added: KeptPtr[] }>();
  const of = ({ id }: HostedName) => {
    const known = ofZones.get(id) ?? { removed: [], added: [] };
    ofZones.set(id, known);
    return known;
  };
  // Since it was added, a zone of a smaller network may have come.
  for (const ptr of removed) {
    yield;
    for (const { zoneName } of ptrPlaces(ptr.address)) {
      const zone = zones.get(zoneName);
      if (zone) of(zone).removed.push(ptr);
    }
  }
  const impossible: Impossible[] = [];
  for (const ptr of added) {
    yield;
    const zone = zoneFor(ptr, zones, actor);
    if (typeof zone === 'string') impossible.push({ ptr, problem: zone });
    else of(zone).added.push(ptr);
  }
  return { ofZones, impossible };
}

/** Or why there is none, as the end of a sentence about `ptr`. */
function zoneFor(
  { address }: KeptPtr,
  zones: ReadonlyMap<string, HostedName | null>,
  actor: Actor,
): HostedName | string {
  const place = ptrPlaceIn(address, zones);
  const zone = place && zones.get(place.zoneName);
  if (!zone || !maySeeDomain(actor, zone)) return `needs the reverse zone of ${address}, which is not in this account`;
  if (!mayDo(actor, 'write') || !maySeeRecord(actor, { type: 'PTR', name: place.name }))
    return `needs a key or role that may change PTR records of ${zone.name}`;
  return zone.immutableBecause === null
    ? zone
    : `needs ${zone.name}, which cannot be changed: ${zone.immutableBecause}`;
}

function assertPossible(
  impossible: readonly Impossible[],
  asked: readonly string[],
  placeOf: (recordId: string) => string | undefined = () => undefined,
): void {
  const errors = impossible
    .filter(({ ptr }) => asked.includes(ptr.recordId))
    .map(({ ptr, problem }) => ({ place: placeOf(ptr.recordId), error: ValidationError.of('ptr', problem) }));
  const items = errors.flatMap(({ place, error }) => (place === undefined ? [] : [{ place, error }]));
  const [first, ...others] = items;
  if (first) throw new ItemsRejected([first, ...others]);
  if (errors[0]) throw errors[0].error;
}
