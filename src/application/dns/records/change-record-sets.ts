import { inject, injectable } from 'inversify';
import { changeRecordSets, namesOfSets, type RecordSetChange } from '../../../domain/dns/update/change-record-sets';
import { groupedBy } from '../../../domain/shared/grouped-by';
import { Clock } from '../../ports/system/clock';
import { IdGenerator } from '../../ports/system/id-generator';
import { runCooperatively } from '../../run-cooperatively';
import { PublishedResponse } from '../dynamic/published-response';
import { replacement } from '../zones/zone-replacement';
import type { CurrentZone, ZoneDecision, ZoneRequest } from '../zones/zone-request';
import { ZoneWriter } from '../zones/zone-writer';

export interface ChangeRecordSetsCommand extends ZoneRequest {
  readonly changes: readonly RecordSetChange[];
}

/** More are written in a transaction of their own. */
const FEW = 10;

/**
 * Changes whole RRsets of a zone: all of them or none, in one version. Returns when every secondary serves the change, or
 * after a time limit with a warning in the log.
 * @throws the errors of `ZoneWriter`, ItemsRejected
 */
@injectable()
export class ChangeRecordSets {
  constructor(
    @inject(ZoneWriter) private readonly writer: ZoneWriter,
    @inject(PublishedResponse) private readonly published: PublishedResponse,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(command: ChangeRecordSetsCommand): Promise<void> {
    const { changes, actor } = command;
    const count = changes.reduce((sum, { records }) => sum + records.length, changes.length);
    const ids = Array.from({ length: count }, () => this.ids.next('rec'));
    const decide = (zone: CurrentZone): Promise<ZoneDecision<string>> => this.decide(zone, changes, ids);
    const { zone } = await (count > FEW ? this.writer.write(command, decide) : this.writer.writeFew(command, decide));
    await this.published.wait(actor, zone);
  }

  /** Its result is the name of the zone. */
  private async decide(
    { zoneName, delegation, types, recordsAt }: CurrentZone,
    changes: readonly RecordSetChange[],
    ids: readonly string[],
  ): Promise<ZoneDecision<string>> {
    const now = this.clock.now();
    const byName = groupedBy(await recordsAt(namesOfSets(changes, zoneName)), ({ name }) => name);
    const unusedIds = [...ids];
    const content = { zoneName, delegation, types, recordsAt: (name: string) => byName.get(name) ?? [] };
    const { before, after } = changeRecordSets(changes, content, () => unusedIds.shift() ?? '', now);
    const states = before.map((record) => record.toState());
    return { change: await runCooperatively(replacement(states, after, delegation, now)), result: zoneName };
  }
}
