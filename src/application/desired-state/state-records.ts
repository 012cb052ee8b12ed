import { inject, injectable } from '../ports/inject';
import type { Actor } from '../../domain/access/actor';
import { assertRecordsAllowed, assertWholeZoneAllowed, maySeeRecord } from '../../domain/access/key-permissions';
import {
  CnameAtRoot,
  InvalidRecordContent,
  InvalidRecordName,
  InvalidRecordType,
  ItemsRejected,
  MissingPriority,
  type ItemError,
} from '../../domain/dns/dns-errors';
import { DnsRecord, type DnsRecordState, type RecordDraft } from '../../domain/dns/records/dns-record';
import { PTR_KEEPER } from '../../domain/dns/records/ptr-wish';
import { includesType, withUpdateTypes } from '../../domain/dns/records/types/record-types';
import { recordWarnings } from '../../domain/dns/records/record-warnings';
import { writtenRecords, type ZoneChange } from '../../domain/dns/zone-change';
import type { DesiredRecords } from '../../domain/portfolio/desired-state';
import { ServiceError } from '../../domain/shared/service-error';
import { ValidationError } from '../../domain/shared/validation-error';
import { apartFromKept, replacement } from '../dns/zones/zone-replacement';
import type { CurrentZone } from '../dns/zones/zone-loader';
import type { Decide } from '../dns/zones/zone-request';
import { Clock, IdGenerator } from '../ports/system';
import { runCooperatively, type CooperativeTask } from '../shared/run-cooperatively';

/** What the records of a state change in a zone. */
export interface StateRecordsChange {
  readonly change: ZoneChange;
  readonly warnings: readonly string[];
}

/** A record of a state, and its place in the list. */
interface Wanted {
  readonly record: DnsRecord;
  readonly index: number;
}

interface Scope {
  readonly actor: Actor;
  readonly owner: string | undefined;
  readonly wanted: ReadonlyMap<string, Wanted>;
  readonly placeOf: (index: number) => string;
}

const MAX_WARNINGS = 100;

/** Decides what the records of a desired state change in a zone. */
@injectable()
export class StateRecords {
  constructor(
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** The decision throws ItemsRejected with the place of every wrong record, LimitedKey */
  decideFor(
    actor: Actor,
    { records: drafts, owner, placeOf = placeInState }: DesiredRecords,
  ): Decide<StateRecordsChange> {
    const ids = drafts.map(() => this.ids.next('rec'));
    return async (zone) => {
      const { accountId, zoneName } = zone;
      if (owner === undefined) assertWholeZoneAllowed(actor);
      const now = this.clock.now();
      const types = withUpdateTypes(zone.types);
      const create = (draft: RecordDraft, index: number) =>
        DnsRecord.create(withOwner(draft, owner), zoneName, ids[index] ?? '', now, types);
      const wanted = await runCooperatively(wantedRecords(drafts, create, placeOf), accountId);
      const records = [...wanted.values()].map(({ record }) => record);
      assertRecordsAllowed(actor, records);
      const stored = (await (await zone.past()).records()).filter(({ type }) => includesType(types, type));
      const scope = { actor, owner, wanted, placeOf };
      const current = await runCooperatively(recordsInScope(stored, scope), accountId);
      return runCooperatively(this.decide(zone, current, { wanted, placeOf }, now), accountId);
    };
  }

  private *decide(
    { zoneName, delegation }: CurrentZone,
    current: readonly DnsRecordState[],
    { wanted, placeOf }: Pick<Scope, 'wanted' | 'placeOf'>,
    now: Date,
  ) {
    const records = [...wanted.values()].map(({ record }) => record);
    const others = yield* apartFromKept(current, records);
    const change = yield* replacement(others.current, [...others.wanted, ...others.leftOut], delegation, now);
    const written = writtenRecords(change);
    const places = new Map<string, string>();
    const warnings: string[] = [];
    for (const record of written) {
      yield;
      const found = wanted.get(record.identity());
      if (found) places.set(record.id, placeOf(found.index));
      if (warnings.length < MAX_WARNINGS) warnings.push(...recordWarnings(record, zoneName));
    }
    return { change, placeOf: (id: string) => places.get(id), result: { change, warnings } };
  }
}

function placeInState(index: number): string {
  return `records[${index}]`;
}

function withOwner(draft: RecordDraft, owner: string | undefined): RecordDraft {
  if (owner === undefined) return draft;
  const { managedBy } = draft;
  if (managedBy !== undefined && managedBy !== null && managedBy !== owner)
    throw ValidationError.of('managed_by', `must be ${owner}, as the state says, or absent`);
  return { ...draft, managedBy: owner };
}

/** By their identity, in the order of the list. @throws ItemsRejected */
function* wantedRecords(
  drafts: readonly RecordDraft[],
  create: (draft: RecordDraft, index: number) => DnsRecord,
  placeOf: Scope['placeOf'],
): CooperativeTask<ReadonlyMap<string, Wanted>> {
  const errors: ItemError[] = [];
  const wanted = new Map<string, Wanted>();
  for (const [index, draft] of drafts.entries()) {
    yield;
    try {
      const record = create(draft, index);
      const identity = record.identity();
      const first = wanted.get(identity);
      if (first) throw ValidationError.of('', `repeats ${placeOf(first.index)}`);
      wanted.set(identity, { record, index });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      errors.push(...itemErrors(placeOf(index), error));
    }
  }
  const [first, ...others] = errors;
  if (first) throw new ItemsRejected([first, ...others]);
  return wanted;
}

/** With the member of the record that is wrong, if the error tells it. */
function itemErrors(place: string, error: ServiceError): readonly ItemError[] {
  if (error instanceof ValidationError)
    return error.issues.map(({ path, message }) => ({
      place: path === '' ? place : `${place}.${path}`,
      error: ValidationError.of('', message),
    }));
  const member = memberOf(error);
  return [{ place: member === undefined ? place : `${place}.${member}`, error }];
}

function memberOf(error: ServiceError): string | undefined {
  if (error instanceof InvalidRecordType) return 'type';
  if (error instanceof InvalidRecordName || error instanceof CnameAtRoot) return 'name';
  if (error instanceof MissingPriority) return 'priority';
  return error instanceof InvalidRecordContent ? 'content' : undefined;
}

/**
 * The stored records that the state decides on: its owner's, or all but the PTR records that the service keeps; and a record of
 * no program that the state lists, which its owner takes over. @throws ItemsRejected for one of another program
 */
function* recordsInScope(
  stored: readonly DnsRecordState[],
  { actor, owner, wanted, placeOf }: Scope,
): CooperativeTask<readonly DnsRecordState[]> {
  const inScope: DnsRecordState[] = [];
  const errors: ItemError[] = [];
  for (const state of stored) {
    yield;
    if (!maySeeRecord(actor, state)) continue;
    const { managedBy } = state;
    const isOwn = owner === undefined ? managedBy !== PTR_KEEPER : managedBy === owner;
    const found = isOwn ? undefined : wanted.get(DnsRecord.fromState(state).identity());
    if (isOwn || (found && (owner === undefined || !managedBy))) inScope.push(state);
    else if (found) errors.push({ place: placeOf(found.index), error: new ManagedByOther(managedBy ?? '') });
  }
  const [first, ...others] = errors;
  if (first) throw new ItemsRejected([first, ...others]);
  return inScope;
}

/** A state lists a record that another program keeps. */
class ManagedByOther extends ServiceError {
  readonly code = 'RECORD_CONFLICT';

  constructor(managedBy: string) {
    super(
      'Another program manages the record',
      `is managed by ${managedBy}. Remove it from the state, or let ${managedBy} release it`,
    );
  }
}
