import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import type { DnsRecord } from '../../domain/dns/dns-record';
import { RecordNotFound } from '../../domain/dns/errors';
import { assertConsistent, assertZoneSize, type ZoneLimits } from '../../domain/dns/zone-rules';
import { DomainNotFound } from '../../domain/registration/errors';
import { zoneChanged } from '../audit/zone-audit';
import { Clock } from '../ports/clock';
import { DomainReader } from '../ports/domain-repository';
import { UnitOfWork } from '../ports/unit-of-work';
import { ZonePublisher } from '../ports/zone-publisher';
import type { LockedZone, ZoneChange, ZoneRepository } from '../ports/zone-repository';

export const ZoneLimitSettings = Symbol('ZoneLimitSettings');

export interface ZoneInHand {
  readonly zoneName: string;
  /** @throws RecordNotFound */
  readonly record: (id: string) => Promise<DnsRecord>;
}

export interface ZoneDecision<T> {
  readonly change: ZoneChange;
  readonly result: T;
}

export interface Written<T> {
  readonly result: T;
  /** The zone's version with this change. */
  readonly zoneVersion: number;
}

/** The one way to change a zone: one writer at a time, the rules judge the outcome, and the version rises by one. */
@injectable()
export class ZoneWriter {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Clock) private readonly clock: Clock,
    @inject(ZoneLimitSettings) private readonly limits: ZoneLimits,
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
  ) {}

  async write<T>(requester: Requester, domainId: string, decide: (zone: ZoneInHand) => Promise<ZoneDecision<T>>): Promise<Written<T>> {
    const domain = await this.domains.find(requester.accountId, domainId);
    if (!domain) throw new DomainNotFound();
    domain.assertAllows('change DNS records');
    const zoneName = domain.toState().name;
    const written = await this.unitOfWork.run(async ({ audit, zones }) => {
      const zone = await zones.lock(domainId);
      if (!zone) throw new DomainNotFound();
      const record = async (id: string): Promise<DnsRecord> => {
        const found = await zones.findRecord(domainId, id);
        if (!found) throw new RecordNotFound();
        return found;
      };
      const { change, result } = await decide({ zoneName, record });
      await this.judge(zones, zone, change);
      const { version } = await zones.apply(zone, change);
      const entry = { at: this.clock.now(), requester, domain: { id: domainId, name: zoneName } };
      await audit.append(zoneChanged({ ...entry, change }));
      return { result, zoneVersion: version };
    });
    this.publisher.announce({ domainId, zoneName, version: written.zoneVersion });
    return written;
  }

  private async judge(zones: ZoneRepository, zone: LockedZone, { added, changed, removed }: ZoneChange): Promise<void> {
    const written = [...added, ...changed.map(({ after }) => after)];
    if (written.length === 0) return;
    assertZoneSize({ before: zone.recordCount, after: zone.recordCount + added.length - removed.length }, this.limits);
    const replaced = new Set([...written, ...removed].map(({ id }) => id));
    const names = [...new Set(written.map(({ name }) => name))];
    const kept = (await zones.recordsAt(zone.domainId, names)).filter(({ id }) => !replaced.has(id));
    assertConsistent([...kept, ...written], new Set(written.map(({ id }) => id)), this.limits);
  }
}
