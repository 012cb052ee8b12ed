import { inject, injectable } from '../../ports/inject';
import { DnsRecord, type RecordPatch, type RecordDraft } from '../../../domain/dns/records/dns-record';
import { ItemsRejected, RecordNotFound, type ItemError } from '../../../domain/dns/dns-errors';
import { ServiceError } from '../../../domain/shared/service-error';
import { ValidationError } from '../../../domain/shared/validation-error';
import { Clock, IdGenerator } from '../../ports/system';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import type { ZonePlan } from '../zones/zone-plan';
import type { CurrentZone } from '../zones/zone-loader';
import type { Decide, ZoneRequest } from '../zones/zone-request';
import { ZoneWriter } from '../zones/zone-writer';
import type { Written } from '../zones/zone-request';
import { runCooperatively, type CooperativeTask } from '../../shared/run-cooperatively';

export const MAX_EDITS = 500;

interface RecordUpdate {
  readonly id: string;
  readonly patch: RecordPatch;
}

export interface EditRecordsCommand extends ZoneRequest {
  readonly create: readonly RecordDraft[];
  readonly update: readonly RecordUpdate[];
  readonly delete: readonly string[];
}

/**
 * Many changes as one: all or none, in one version. The zone's rules apply to the result, so that records can swap names or
 * contents. Every invalid item is reported by its list and index.
 * @throws the errors of `ZoneWriter`, ItemsRejected, ValidationError
 */
@injectable()
export class EditRecords {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(
    command: EditRecordsCommand,
    hook?: TransactionHook<Written<ZoneChange>>,
  ): Promise<Written<ZoneChange>> {
    return this.zones.write(command, this.planEdit(command), hook);
  }

  async plan(command: EditRecordsCommand): Promise<ZonePlan<ZoneChange>> {
    return this.zones.plan(command, this.planEdit(command));
  }

  private planEdit(command: EditRecordsCommand): Decide<ZoneChange> {
    assertEdits(command);
    const newIds = command.create.map(() => this.ids.next('rec'));
    return async (zone) => {
      const now = this.clock.now();
      const stored = await zone.records([...command.delete, ...command.update.map(({ id }) => id)]);
      const items = new Items(zone.accountId);
      const removed = await items.each('delete', command.delete, (id) => recordIn(stored, id));
      const changed = await items.each('update', command.update, (update) => changedRecord(stored, update, zone, now));
      const added = await items.each('create', command.create, (draft, index) =>
        DnsRecord.create(draft, zone.zoneName, newIds[index] ?? '', now, zone.types),
      );
      items.assertValid();
      const change = { added, changed, removed };
      const asksForPtr = [
        ...newIds.filter((_id, index) => command.create[index]?.ptr === true),
        ...command.update.filter(({ patch }) => patch.ptr === true).map(({ id }) => id),
      ];
      return { change, result: change, placeOf: placeFinder(command, newIds), asksForPtr };
    };
  }
}

/** @throws ValidationError */
function assertEdits({ create, update, delete: removals }: EditRecordsCommand): void {
  const count = create.length + update.length + removals.length;
  if (count === 0 || count > MAX_EDITS)
    throw new ValidationError([
      { path: '', message: `create, update and delete must name 1 to ${MAX_EDITS} records together, not ${count}` },
    ]);
  const seen = new Set<string>();
  const ids = [
    ...removals.map((id, index) => ({ id, path: `delete[${index}]` })),
    ...update.map(({ id }, index) => ({ id, path: `update[${index}]` })),
  ];
  const repeated = ids.filter(({ id }) => seen.size === seen.add(id).size);
  if (repeated.length > 0)
    throw new ValidationError(
      repeated.slice(0, 20).map(({ path }) => ({ path, message: 'repeats the id of an earlier item' })),
    );
}

/** Applies items, some at a time, and collects the errors of invalid ones. */
class Items {
  private readonly errors: ItemError[] = [];

  constructor(private readonly accountId: string) {}

  each<I, O>(list: string, items: readonly I[], apply: (item: I, index: number) => O): Promise<readonly O[]> {
    return runCooperatively(this.applyItems(list, items, apply), this.accountId);
  }

  private *applyItems<I, O>(
    list: string,
    items: readonly I[],
    apply: (item: I, index: number) => O,
  ): CooperativeTask<readonly O[]> {
    const outcomes: O[] = [];
    for (const [index, item] of items.entries()) {
      yield;
      try {
        outcomes.push(apply(item, index));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        this.errors.push({ place: `${list}[${index}]`, error });
      }
    }
    return outcomes;
  }

  /** @throws ItemsRejected */
  assertValid(): void {
    const [first, ...others] = this.errors;
    if (first) throw new ItemsRejected([first, ...others]);
  }
}

function recordIn(stored: ReadonlyMap<string, DnsRecord>, id: string): DnsRecord {
  const record = stored.get(id);
  if (!record) throw new RecordNotFound();
  return record;
}

function changedRecord(
  stored: ReadonlyMap<string, DnsRecord>,
  { id, patch }: RecordUpdate,
  { zoneName, types }: CurrentZone,
  now: Date,
): ZoneChange['changed'][number] {
  const before = recordIn(stored, id);
  const after = before.copy();
  after.change(patch, zoneName, now, types);
  return { before, after };
}

function placeFinder(
  { update }: EditRecordsCommand,
  newIds: readonly string[],
): (recordId: string) => string | undefined {
  const places = new Map([
    ...newIds.map((id, index) => [id, `create[${index}]`] as const),
    ...update.map(({ id }, index) => [id, `update[${index}]`] as const),
  ]);
  return (recordId) => places.get(recordId);
}
