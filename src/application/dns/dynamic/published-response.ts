import { inject, injectable } from 'inversify';
import { actorText, type Actor } from '../../../domain/access/actor';
import type { ZoneState } from '../../ports/dns/zone-publisher';
import { Log } from '../../ports/system/log';
import { PublicationWait } from '../publishing/publication-wait';

/** Delays the response to a client that changes DNS until every secondary serves the change, for a limited time. */
@injectable()
export class PublishedResponse {
  constructor(
    @inject(PublicationWait) private readonly publication: PublicationWait,
    @inject(Log) private readonly log: Log,
  ) {}

  async wait(actor: Actor, zone: ZoneState): Promise<void> {
    if ((await this.publication.wait(zone)) !== 'late') return;
    this.log.warn(
      { actor: actorText(actor), zone: zone.zoneName, serial: zone.serial },
      'responded to a client before every secondary serves its change',
    );
  }
}
