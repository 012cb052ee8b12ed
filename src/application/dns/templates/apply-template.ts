import { inject, injectable } from '../../ports/inject';
import type { Actor, Requester } from '../../../domain/access/actor';
import { assertRecordsAllowed } from '../../../domain/access/key-permissions';
import { supersede } from '../../../domain/dns/templates/supersede';
import { fillTemplate, type TemplateRecords, type TemplateValues } from '../../../domain/dns/templates/record-template';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { runCooperatively } from '../../shared/run-cooperatively';
import { decisionOn, type ImportedZone } from '../zones/zone-files/import-zone-file';
import type { ZonePlan } from '../zones/zone-plan';
import { replacement } from '../zones/zone-replacement';
import type { Decide, ZoneRequest } from '../zones/zone-request';
import { ZoneTextReader, type ReadZoneText } from '../zones/zone-files/zone-text-reader';
import { ZoneWriter } from '../zones/zone-writer';
import type { Written } from '../zones/zone-request';
import { TemplateLibrary } from './template-library';

interface AppliedTemplate extends Requester {
  readonly templateId: string;
  readonly values: TemplateValues;
  /** What the template was before; by default what it is. */
  readonly template?: TemplateRecords | undefined;
}

type ApplyTemplateCommand = ZoneRequest & AppliedTemplate;

/**
 * Adds the records of a template to a zone, in one version. Records that cannot stay beside them are replaced (`supersede`), all
 * others stay. Applied again, it changes nothing.
 * @throws what `ZoneWriter` throws, TemplateNotFound, ValidationError for the values, ItemsRejected naming lines of the template
 */
@injectable()
export class ApplyTemplate {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(ZoneTextReader) private readonly reader: ZoneTextReader,
    @inject(TemplateLibrary) private readonly library: TemplateLibrary,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(
    command: ApplyTemplateCommand,
    hook?: TransactionHook<Written<ImportedZone>>,
  ): Promise<Written<ImportedZone>> {
    return this.zones.write(command, await this.planTemplate(command), hook);
  }

  async plan(command: ApplyTemplateCommand): Promise<ZonePlan<ImportedZone>> {
    return this.zones.plan(command, await this.planTemplate(command));
  }

  /** For a zone that is created with the records of the template. @throws as `execute` */
  async decideNew(zoneName: string, command: AppliedTemplate): Promise<Decide<ImportedZone>> {
    const text = await this.textOf(command);
    return this.decideBy(
      await this.reader.readFor(zoneName, { requester: command, text, isWholeZone: false }),
      command.actor,
    );
  }

  private async planTemplate(command: ApplyTemplateCommand): Promise<Decide<ImportedZone>> {
    const text = await this.textOf(command);
    const { domainId, actor } = command;
    return this.decideBy(await this.reader.read({ requester: command, domainId, text, isWholeZone: false }), actor);
  }

  private async textOf(command: AppliedTemplate): Promise<(zoneName: string) => string> {
    const template = command.template ?? (await this.library.find(command, command.templateId));
    return (zoneName) => fillTemplate(template, command.values, zoneName);
  }

  private decideBy(read: ReadZoneText, actor: Actor): Decide<ImportedZone> {
    return async ({ accountId, delegation, recordsAt }) => {
      assertRecordsAllowed(actor, read.records);
      const present = await recordsAt([...new Set(read.records.map(({ name }) => name))]);
      const { superseded, wanted } = await runCooperatively(supersede(present, read.records), accountId);
      const current = superseded.map((record) => record.toState());
      return decisionOn(
        await runCooperatively(replacement(current, wanted, delegation, this.clock.now()), accountId),
        read,
      );
    };
  }
}
