import { inject, injectable } from 'inversify';
import { ZoneWriter } from './zone-writer';

/** Removes a record. @throws DomainNotFound, RecordNotFound */
@injectable()
export class RemoveRecord {
  constructor(@inject(ZoneWriter) private readonly zones: ZoneWriter) {}

  async execute({ accountId, domainId, recordId }: { accountId: string; domainId: string; recordId: string }): Promise<void> {
    await this.zones.write(accountId, domainId, async ({ record }) => ({
      change: { added: [], changed: [], removed: [await record(recordId)] },
      result: undefined,
    }));
  }
}
