import { inject, injectable } from '../../ports/inject';
import {
  changeRecordSets,
  placeOfChange,
  setsOfChanges,
  type RecordSetChange,
} from '../../../domain/dns/update/record-set-changes';
import type { Actor } from '../../../domain/access/actor';
import { assertRecordsAllowed, LimitedKey } from '../../../domain/access/key-permissions';
import { ItemsRejected } from '../../../domain/dns/dns-errors';
import { fullOwnerName } from '../../../domain/dns/records/record-name';
import { ServiceError } from '../../../domain/shared/service-error';
import { groupedBy } from '../../../domain/shared/grouped-by';
import { Clock, IdGenerator } from '../../ports/system';
import { runCooperatively } from '../../shared/run-cooperatively';
import { ProgramWriter } from '../dynamic/program-writer';
import { replacement } from '../zones/zone-replacement';
import type { CurrentZone } from '../zones/zone-loader';
import type { Decide, ZoneDecision, ZoneRequest } from '../zones/zone-request';

interface ChangeRecordSetsCommand extends ZoneRequest {
  readonly zoneName: string;
  readonly changes: readonly RecordSetChange[];
}

/** More are written in a transaction of their own. */
const FEW = 10;
/** One for what is invalid, one for what the key may not change, and some for conflicts between what is left. */
const MAX_REFUSALS = 5;

/**
 * Changes whole RRsets of a zone for a program: all of them or none, in one version.
 * @throws the errors of `ProgramWriter`, ItemsRejected
 */
@injectable()
export class ChangeRecordSets {
  constructor(
    @inject(ProgramWriter) private readonly writer: ProgramWriter,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(command: ChangeRecordSetsCommand): Promise<void> {
    const { changes, ...request } = command;
    await this.writer.write(
      { ...request, isLarge: sizeOfChanges(changes) > FEW },
      this.decideFor(request.actor, changes),
    );
  }

  /** What `execute` does to a zone. */
  decideFor(actor: Actor, changes: readonly RecordSetChange[]): Decide<undefined> {
    const ids = Array.from({ length: sizeOfChanges(changes) }, () => this.ids.next('rec'));
    return async (zone) => {
      const sets = setsOfChanges(changes, zone.zoneName);
      assertRecordsAllowed(actor, sets);
      return this.decide(zone, { changes, names: [...new Set(sets.map(({ name }) => name))], ids });
    };
  }

  /** As `execute`, but makes the changes that are allowed even if others are refused. @throws the first refusal, after that */
  async executeAllowed(command: ChangeRecordSetsCommand): Promise<void> {
    let { changes } = command;
    let first: ServiceError | undefined;
    for (let refusals = 0; changes.length > 0; refusals += 1) {
      try {
        await this.execute({ ...command, changes });
        break;
      } catch (error) {
        const allowed = withoutRefused(changes, error, command);
        if (!(error instanceof ServiceError) || allowed.length === changes.length || refusals === MAX_REFUSALS)
          throw error;
        first ??= error;
        changes = allowed;
      }
    }
    if (first) throw first;
  }

  private async decide(
    { accountId, zoneName, delegation, types, recordsAt }: CurrentZone,
    {
      changes,
      names,
      ids,
    }: {
      readonly changes: readonly RecordSetChange[];
      readonly names: readonly string[];
      readonly ids: readonly string[];
    },
  ): Promise<ZoneDecision<undefined>> {
    const now = this.clock.now();
    const byName = groupedBy(await recordsAt(names), ({ name }) => name);
    const unusedIds = [...ids];
    const content = { zoneName, delegation, types, recordsAt: (name: string) => byName.get(name) ?? [] };
    const { before, after } = await runCooperatively(
      changeRecordSets(changes, content, () => unusedIds.shift() ?? '', now),
      accountId,
    );
    const states = before.map((record) => record.toState());
    const change = await runCooperatively(replacement(states, after, delegation, now), accountId);
    const written = [...change.added, ...change.changed.map((each) => each.after)];
    const placeOf = (recordId: string): string | undefined => {
      const record = written.find(({ id }) => id === recordId);
      return record && placeOfChange({ name: `${fullOwnerName(record.name, zoneName)}.`, type: record.type });
    };
    return { change, placeOf, result: undefined };
  }
}

/** The most records that they can write. */
function sizeOfChanges(changes: readonly RecordSetChange[]): number {
  return changes.reduce((sum, { records }) => sum + records.length, changes.length);
}

/** The changes that an error does not concern. */
function withoutRefused(
  changes: readonly RecordSetChange[],
  error: unknown,
  { actor, zoneName }: { readonly actor: Actor; readonly zoneName: string },
): readonly RecordSetChange[] {
  if (error instanceof ItemsRejected) return changes.filter((change) => !error.places.includes(placeOfChange(change)));
  if (error instanceof LimitedKey) return changes.filter((change) => isAllowed(actor, change, zoneName));
  return changes;
}

function isAllowed(actor: Actor, change: RecordSetChange, zoneName: string): boolean {
  try {
    assertRecordsAllowed(actor, setsOfChanges([change], zoneName));
    return true;
  } catch (error) {
    if (error instanceof LimitedKey) return false;
    throw error;
  }
}
