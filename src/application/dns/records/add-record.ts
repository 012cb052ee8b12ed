import { inject, injectable } from '../../ports/inject';
import { DnsRecord, type RecordDraft } from '../../../domain/dns/records/dns-record';
import { Clock, IdGenerator } from '../../ports/system';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import type { ZonePlan } from '../zones/zone-plan';
import type { Decide, ZoneRequest } from '../zones/zone-request';
import { ZoneWriter } from '../zones/zone-writer';
import type { Written } from '../zones/zone-request';

interface AddRecordCommand extends ZoneRequest {
  readonly draft: RecordDraft;
}

/** Adds a record to a domain's zone. @throws the errors of `ZoneWriter`, the errors of `validateRecord` */
@injectable()
export class AddRecord {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(command: AddRecordCommand, hook?: TransactionHook<Written<DnsRecord>>): Promise<Written<DnsRecord>> {
    return this.zones.writeFew(command, this.planAdd(command), hook);
  }

  async plan(command: AddRecordCommand): Promise<ZonePlan<DnsRecord>> {
    return this.zones.plan(command, this.planAdd(command));
  }

  private planAdd({ draft }: AddRecordCommand): Decide<DnsRecord> {
    const id = this.ids.next('rec');
    return async ({ zoneName, types }) => {
      const record = DnsRecord.create(draft, zoneName, id, this.clock.now(), types);
      const asksForPtr = draft.ptr === true ? [id] : [];
      return { change: { added: [record], changed: [], removed: [] }, result: record, asksForPtr };
    };
  }
}
