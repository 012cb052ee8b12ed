import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import { ZoneWriter, type Written } from './zone-writer';

/** Removes a record. @throws DomainNotFound, RecordNotFound */
@injectable()
export class RemoveRecord {
  constructor(@inject(ZoneWriter) private readonly zones: ZoneWriter) {}

  async execute({ domainId, recordId, ...requester }: Requester & { domainId: string; recordId: string }): Promise<Written<void>> {
    return this.zones.write(requester, domainId, async ({ record }) => ({
      change: { added: [], changed: [], removed: [await record(recordId)] },
      result: undefined,
    }));
  }
}
