import { inject, injectable } from '../../ports/inject';
import { RecordChangedSince } from '../../../domain/dns/dns-errors';
import type { DnsRecord, RecordPatch } from '../../../domain/dns/records/dns-record';
import { Clock } from '../../ports/system';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import type { ZonePlan } from '../zones/zone-plan';
import type { Decide, ZoneRequest } from '../zones/zone-request';
import { ZoneWriter } from '../zones/zone-writer';
import type { Written } from '../zones/zone-request';

interface ChangeRecordCommand extends ZoneRequest {
  readonly recordId: string;
  readonly patch: RecordPatch;
  /** `DnsRecord.digest` of the record that the requester read; without it, any record is changed. */
  readonly seen?: string | undefined;
}

/** Changes the fields of the patch and validates the resulting record. @throws the errors of `ZoneWriter`, RecordNotFound, RecordChangedSince, the errors of `validateRecord` */
@injectable()
export class ChangeRecord {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(command: ChangeRecordCommand, hook?: TransactionHook<Written<DnsRecord>>): Promise<Written<DnsRecord>> {
    return this.zones.writeFew(command, this.planChange(command), hook);
  }

  async plan(command: ChangeRecordCommand): Promise<ZonePlan<DnsRecord>> {
    return this.zones.plan(command, this.planChange(command));
  }

  private planChange({ recordId, patch, seen }: ChangeRecordCommand): Decide<DnsRecord> {
    return async ({ zoneName, types, record }) => {
      const before = await record(recordId);
      if (seen !== undefined && seen !== before.digest()) throw new RecordChangedSince();
      const after = before.copy();
      after.change(patch, zoneName, this.clock.now(), types);
      const asksForPtr = patch.ptr === true ? [recordId] : [];
      return { change: { added: [], changed: [{ before, after }], removed: [] }, result: after, asksForPtr };
    };
  }
}
