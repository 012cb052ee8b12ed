import { inject, injectable } from 'inversify';
import { changeRecordSets, setsOfChanges, type RecordSetChange } from '../../../domain/dns/update/change-record-sets';
import { assertRecordsAllowed } from '../../../domain/access/key-permissions';
import { groupedBy } from '../../../domain/shared/grouped-by';
import { Clock } from '../../ports/system/clock';
import { IdGenerator } from '../../ports/system/id-generator';
import { runCooperatively } from '../../run-cooperatively';
import { ProgramWriter } from '../dynamic/program-writer';
import { replacement } from '../zones/zone-replacement';
import type { CurrentZone, ZoneDecision, ZoneRequest } from '../zones/zone-request';

interface ChangeRecordSetsCommand extends ZoneRequest {
  readonly zoneName: string;
  readonly changes: readonly RecordSetChange[];
}

/** More are written in a transaction of their own. */
const FEW = 10;

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
    const count = changes.reduce((sum, { records }) => sum + records.length, changes.length);
    const ids = Array.from({ length: count }, () => this.ids.next('rec'));
    await this.writer.write({ ...request, isLarge: count > FEW }, (zone) => {
      const sets = setsOfChanges(changes, zone.zoneName);
      assertRecordsAllowed(request.actor, sets);
      return this.decide(zone, { changes, names: [...new Set(sets.map(({ name }) => name))], ids });
    });
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
    return {
      change: await runCooperatively(replacement(states, after, delegation, now), accountId),
      result: undefined,
    };
  }
}
