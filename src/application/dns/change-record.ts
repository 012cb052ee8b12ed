import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import { DnsRecord, type RecordPatch } from '../../domain/dns/dns-record';
import { Clock } from '../ports/clock';
import { ZoneWriter, type Written } from './zone-writer';

/** Changes what the patch names; the whole record that results is judged. @throws DomainNotFound, RecordNotFound, the faults of `judgeRecord`, RecordConflict, LimitExceeded */
@injectable()
export class ChangeRecord {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ domainId, recordId, patch, ...requester }: Requester & { domainId: string; recordId: string; patch: RecordPatch }): Promise<Written<DnsRecord>> {
    return this.zones.write(requester, domainId, async ({ zoneName, record }) => {
      const before = await record(recordId);
      const after = DnsRecord.restore(before.toState());
      after.change(patch, zoneName, this.clock.now());
      return { change: { added: [], changed: [{ before, after }], removed: [] }, result: after };
    });
  }
}
