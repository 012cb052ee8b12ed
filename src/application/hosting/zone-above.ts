import { SERVICE } from '../../domain/access/actor';
import type { NoticeResult } from '../../domain/dns/dnssec/parent/parent-notice';
import type { DsRecord } from '../../domain/dns/delegation/ds-record';
import type { DnsRecord, DnsRecordState } from '../../domain/dns/records/dns-record';
import { keptDsRecord, readDsRecord } from '../../domain/dns/delegation/sub-zone';
import { relativeOwnerName } from '../../domain/dns/records/record-name';
import type { DomainState } from '../../domain/registration/domain';
import { ServiceError } from '../../domain/shared/service-error';
import type { PublicationWait } from '../dns/publishing/publication-wait';
import type { ZoneWriter } from '../dns/zones/zone-writer';
import type { PublishedDsRecords, ParentalAgent, PublishedDelegation } from '../ports/dns/other-nameservers';
import type { ZoneSigningReader } from '../ports/dns/signing-repository';
import type { ZoneReader } from '../ports/dns/zone-repository';
import type { DomainReader } from '../ports/registration/domain-repository';
import type { Clock, IdGenerator } from '../ports/system';
import type { BootstrapSignals } from './bootstrap-signals';
import type { SubZones } from './sub-zones';

interface Parts {
  readonly network: ParentalAgent;
  readonly domains: Pick<DomainReader, 'zonesAmong'>;
  readonly subZones: Pick<SubZones, 'above'>;
  readonly zones: Pick<ZoneReader, 'find' | 'recordsAt'>;
  readonly writer: Pick<ZoneWriter, 'write'>;
  readonly signings: Pick<ZoneSigningReader, 'findByName'>;
  readonly publication: Pick<PublicationWait, 'behind'>;
  readonly signals: Pick<BootstrapSignals, 'keep'>;
  readonly ids: IdGenerator;
  readonly clock: Clock;
}

interface Delegated {
  readonly zone: DomainState;
  readonly above: DomainState;
  /** Of the zone, in the zone above. */
  readonly owner: string;
}

/** The parent of a zone whose account has the zone above it here, too: that one is read and written, and the network is not asked. */
export class ZoneAbove implements ParentalAgent {
  constructor(private readonly parts: Parts) {}

  async queryDsRecords(name: string): Promise<PublishedDsRecords | undefined> {
    const delegated = await this.find(name);
    if (!delegated) return this.parts.network.queryDsRecords(name);
    const served = await this.served(delegated);
    return served && { sets: [served.map(readDsRecord)], isComplete: true, ttl: longestTtl(served) };
  }

  async queryDelegation(name: string): Promise<PublishedDelegation | undefined> {
    const delegated = await this.find(name);
    if (!delegated) return this.parts.network.queryDelegation(name);
    const stored = await this.stored(delegated, 'NS');
    return { sets: [stored.map(({ content }) => content)], isComplete: true, ttl: longestTtl(stored) };
  }

  /** Writes the DS records that the zone asks for into the zone above. */
  async notify(name: string, type: 'CDS' | 'CSYNC'): Promise<NoticeResult> {
    const delegated = await this.find(name);
    if (!delegated || type !== 'CDS') {
      if (type === 'CDS') await this.signal(name);
      return this.parts.network.notify(name, type);
    }
    const dsRecords = (await this.parts.signings.findByName(name))?.toState().dsRecords ?? [];
    const receiver = delegated.above.name;
    try {
      await this.writeDsRecords(delegated, dsRecords);
      return { outcome: 'accepted', receiver, error: null };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { outcome: 'refused', receiver, error: error.details ?? error.message };
    }
  }

  /** Before the parent looks. */
  private async signal(name: string): Promise<void> {
    const [zone] = await this.parts.domains.zonesAmong([name]);
    if (zone) await this.parts.signals.keep(zone);
  }

  /** Undefined unless the zone is of an account that has the zone above. */
  private async find(name: string): Promise<Delegated | undefined> {
    const [zone] = await this.parts.domains.zonesAmong([name]);
    const above = zone?.status === 'hosted' ? await this.parts.subZones.above(zone.accountId, name) : undefined;
    return zone && above && { zone, above, owner: relativeOwnerName(name, above.name) };
  }

  /** The DS records that every secondary of the zone above serves; undefined while one is behind, and may serve former ones. */
  private async served(delegated: Delegated): Promise<readonly DnsRecordState[] | undefined> {
    const { id: domainId, name: zoneName } = delegated.above;
    const head = await this.parts.zones.find(domainId);
    const records = await this.stored(delegated, 'DS');
    const behind = head && (await this.parts.publication.behind({ domainId, zoneName, serial: head.serial }));
    return behind?.length === 0 ? records : undefined;
  }

  private async stored({ above, owner }: Delegated, type: 'DS' | 'NS'): Promise<readonly DnsRecordState[]> {
    const records = await this.parts.zones.recordsAt([{ domainId: above.id, names: [owner] }]);
    return (records.get(above.id) ?? []).map((each) => each.toState()).filter((each) => each.type === type);
  }

  private async writeDsRecords({ zone, above, owner }: Delegated, signers: readonly DsRecord[]): Promise<void> {
    const { writer, ids, clock } = this.parts;
    const added = signers.map((signer) => keptDsRecord(above.name, zone, signer, ids.next('rec'), clock.now()));
    await writer.write({ accountId: above.accountId, actor: SERVICE, domainId: above.id }, async ({ recordsAt }) => {
      const present = (await recordsAt([owner])).filter((each) => each.type === 'DS');
      const change = {
        added: added.filter((record) => !isAmong(present, record)),
        changed: [],
        removed: present.filter((record) => !isAmong(added, record)),
      };
      return { change, keepsDelegations: true, result: undefined };
    });
  }
}

function longestTtl(records: readonly Pick<DnsRecordState, 'ttl'>[]): number | undefined {
  return records.length === 0 ? undefined : Math.max(...records.map(({ ttl }) => ttl));
}

function isAmong(records: readonly DnsRecord[], record: DnsRecord): boolean {
  return records.some((each) => each.identity() === record.identity());
}
