import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import { DnsRecord } from '../../domain/dns/dns-record';
import type { RecordDraft } from '../../domain/dns/record-draft';
import { IdGenerator } from '../ports/id-generator';
import { Clock } from '../ports/clock';
import { ZoneWriter, type Written } from './zone-writer';

/** Adds a record to a domain's zone. @throws DomainNotFound, the faults of `judgeRecord`, RecordConflict, LimitExceeded */
@injectable()
export class AddRecord {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ domainId, draft, ...requester }: Requester & { domainId: string; draft: RecordDraft }): Promise<Written<DnsRecord>> {
    const id = this.ids.next('rec');
    return this.zones.write(requester, domainId, async ({ zoneName }) => {
      const record = DnsRecord.create(draft, zoneName, id, this.clock.now());
      return { change: { added: [record], changed: [], removed: [] }, result: record };
    });
  }
}
