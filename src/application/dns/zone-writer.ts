import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import type { DnsRecord } from '../../domain/dns/dns-record';
import { RecordNotFound, ZoneChangedMeanwhile } from '../../domain/dns/errors';
import type { Domain } from '../../domain/registration/domain';
import { DomainNotFound } from '../../domain/registration/errors';
import { addDays } from '../../domain/shared/calendar';
import { zoneChanged } from '../audit/zone-audit';
import { Clock } from '../ports/system/clock';
import { DomainReader } from '../ports/registration/domain-repository';
import { UnitOfWork, type Alongside, type Stores } from '../ports/storage/unit-of-work';
import type { ZonePast } from '../ports/dns/zone-history';
import { ZonePublisher } from '../ports/dns/zone-publisher';
import type { LockedZone, ZoneChange, ZoneRepository } from '../ports/dns/zone-repository';
import { HistorySettings } from './history-settings';
import { PublicationWait } from './publication-wait';
import { judgeOutcome, type ZoneProposal } from './zone-judgement';
import { ZoneLimitSettings } from './zone-limit-settings';
import { newWarnings, type ZonePlan } from './zone-plan';

export interface ZoneRequest extends Requester {
  readonly domainId: string;
  /** The versions of the zone that the caller would have changed; any where there are none. */
  readonly expectedVersions?: readonly number[] | undefined;
  /** Whether to return only when every secondary has the change, or it has taken too long. */
  readonly waitsForPublication?: boolean;
}

export interface ZoneInHand {
  readonly zoneName: string;
  readonly delegation: readonly string[];
  /** @throws RecordNotFound */
  readonly record: (id: string) => Promise<DnsRecord>;
  /** Those of `ids` that are the zone's, by their id. */
  readonly records: (ids: readonly string[]) => Promise<ReadonlyMap<string, DnsRecord>>;
  readonly past: () => Promise<ZonePast>;
}

interface ZoneDecision<T> extends ZoneProposal {
  readonly result: T;
}

export type Decide<T> = (zone: ZoneInHand) => Promise<ZoneDecision<T>>;

export interface Written<T> {
  readonly result: T;
  /** The zone's version with this change. */
  readonly zoneVersion: number;
  /** Whether every secondary has it, where the request waits for that. */
  readonly published?: boolean;
}

interface Judged<T> extends ZoneDecision<T> {
  readonly zone: LockedZone;
}

interface Changed<T> {
  readonly written: Written<T>;
  /** Whether there was anything to write. */
  readonly isChanged: boolean;
}

/** How many changes are written before old ones are looked for. */
const CHANGES_BETWEEN_CLEANINGS = 50;

/** The one way to change a zone: one writer at a time, the rules judge the outcome, and the version rises by one. */
@injectable()
export class ZoneWriter {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Clock) private readonly clock: Clock,
    @inject(ZoneLimitSettings) private readonly limits: ZoneLimitSettings,
    @inject(HistorySettings) private readonly history: HistorySettings,
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
    @inject(PublicationWait) private readonly publication: PublicationWait,
  ) {}

  /**
   * A decision that changes nothing leaves the version as it is and is announced to nobody. Where the request waits for
   * publication, what goes `alongside` sees the change as not published yet.
   * @throws DomainNotFound, DomainStatusConflict, ZoneChangedMeanwhile, RecordConflict, LimitExceeded, ItemsRefused
   */
  async write<T>(request: ZoneRequest, decide: Decide<T>, alongside?: Alongside<Written<T>>): Promise<Written<T>> {
    const domain = await this.domain(request);
    const { written, isChanged } = await this.unitOfWork.run(async (stores) => {
      const changed = await this.changed(stores, request, domain, decide);
      await alongside?.(stores, changed.written);
      return changed;
    });
    const zone = { domainId: domain.id, zoneName: domain.toState().name, version: written.zoneVersion };
    if (isChanged) this.publisher.announce(zone);
    return request.waitsForPublication ? { ...written, published: await this.publication.reached(zone) } : written;
  }

  /** What `write` would do, by the same checks, and what would be odd about it; nothing is changed. @throws as `write` */
  async plan<T>(request: ZoneRequest, decide: Decide<T>): Promise<ZonePlan<T>> {
    const domain = await this.domain(request);
    return this.unitOfWork.run(async ({ zones }) => {
      const { zone, change, result } = await this.judged(zones, request, domain, decide);
      const past = await zones.past(zone);
      return { zoneVersion: zone.version, change, result, warnings: newWarnings(domain.toState().name, await past.records(), change) };
    });
  }

  private async domain({ accountId, domainId }: ZoneRequest): Promise<Domain> {
    const domain = await this.domains.find(accountId, domainId);
    if (!domain) throw new DomainNotFound();
    domain.assertAllows('change DNS records');
    return domain;
  }

  private async changed<T>({ audit, zones }: Stores, request: ZoneRequest, domain: Domain, decide: Decide<T>): Promise<Changed<T>> {
    const { zone, change, result } = await this.judged(zones, request, domain, decide);
    const written = { result, zoneVersion: zone.version, ...(request.waitsForPublication && { published: false }) };
    if (isNothing(change)) return { written, isChanged: false };
    const at = this.clock.now();
    const { version } = await zones.apply(zone, change, { actor: request.actor, at });
    await audit.append(zoneChanged({ at, requester: request, domain: { id: domain.id, name: domain.toState().name }, change }));
    if (version % CHANGES_BETWEEN_CLEANINGS === 0) await this.forgetOld(zones, domain.id, version, at);
    return { written: { ...written, zoneVersion: version }, isChanged: true };
  }

  private async judged<T>(zones: ZoneRepository, { domainId, expectedVersions }: ZoneRequest, domain: Domain, decide: Decide<T>): Promise<Judged<T>> {
    const zone = await zones.lock(domainId);
    if (!zone) throw new DomainNotFound();
    if (expectedVersions && !expectedVersions.includes(zone.version)) throw new ZoneChangedMeanwhile(zone.version);
    const { name: zoneName, nameservers: delegation } = domain.toState();
    const decision = await decide({ zoneName, delegation, past: () => zones.past(zone), ...lookup(zones, domainId) });
    await judgeOutcome(zones, zone, decision, this.limits);
    return { zone, ...decision };
  }

  private async forgetOld(zones: ZoneRepository, domainId: string, version: number, now: Date): Promise<void> {
    await zones.forget(domainId, version - this.history.versions, addDays(now, -this.history.days));
  }
}

function lookup(zones: ZoneRepository, domainId: string): Pick<ZoneInHand, 'record' | 'records'> {
  const records = async (ids: readonly string[]): Promise<ReadonlyMap<string, DnsRecord>> =>
    new Map((await zones.findRecords(domainId, ids)).map((record) => [record.id, record]));
  return {
    records,
    record: async (id) => {
      const record = (await records([id])).get(id);
      if (!record) throw new RecordNotFound();
      return record;
    },
  };
}

function isNothing({ added, changed, removed }: ZoneChange): boolean {
  return added.length + changed.length + removed.length === 0;
}
