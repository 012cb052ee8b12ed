import { inject, injectable } from '../../../application/ports/inject';
import { ReadZones, type ZoneReport } from '../../../application/hosting/read-zones';
import { HealthReader } from '../../../application/ports/health/health-repository';
import type { Requester } from '../../../domain/access/actor';
import type { HealthReport } from '../../../domain/health/health-report';

export interface HostedNameFacts {
  readonly zone: ZoneReport;
  /** Of the last check; undefined if there was none. */
  readonly health: HealthReport | undefined;
}

/** Reads what the page of a name without a registration shows. */
@injectable()
export class ReadHostedName {
  constructor(
    @inject(ReadZones) private readonly zones: ReadZones,
    @inject(HealthReader) private readonly health: HealthReader,
  ) {}

  async of(requester: Requester, domainId: string): Promise<HostedNameFacts> {
    const [zone, health] = await Promise.all([this.zones.byId({ ...requester, domainId }), this.health.find(domainId)]);
    return { zone, health };
  }
}
