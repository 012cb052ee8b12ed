import { inject, injectable } from 'inversify';
import type { DnsRecord, RecordPatch } from '../../domain/dns/dns-record';
import { Clock } from '../ports/clock';
import { ZoneWriter } from './zone-writer';

/** Changes what the patch names; the whole record that results is judged. @throws DomainNotFound, RecordNotFound, the faults of `judgeRecord`, RecordConflict, LimitExceeded */
@injectable()
export class ChangeRecord {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ accountId, domainId, recordId, patch }: { accountId: string; domainId: string; recordId: string; patch: RecordPatch }): Promise<DnsRecord> {
    return this.zones.write(accountId, domainId, async ({ zoneName, record }) => {
      const found = await record(recordId);
      found.change(patch, zoneName, this.clock.now());
      return { change: { added: [], changed: [found], removed: [] }, result: found };
    });
  }
}
