import { SERVICE } from '../../../domain/access/actor';
import type { EventFact } from '../../../domain/access/events/account-event';
import { inject, injectable } from '../../ports/inject';
import type { UnrecordedZone } from '../../ports/dns/publishing';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';

/** Tells accounts that every secondary serves a serial of their zones: once for each serial, whatever process has seen it. @throws StorageUnavailable */
@injectable()
export class RecordPublications {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'events' | 'zonePublications'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(published: readonly UnrecordedZone[]): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.run(async ({ events, zonePublications }) => {
      const risen = await zonePublications.advance(published);
      await events.append(...risen.map((zone) => zonePublished(zone, at)));
    });
  }
}

function zonePublished({ accountId, domainId, zoneName, version, serial }: UnrecordedZone, at: Date): EventFact {
  const domain = { id: domainId, name: zoneName };
  return { accountId, at, actor: SERVICE, type: 'zone.published', domain, data: { version, serial } };
}
