import { inject, injectable } from '../ports/inject';
import { SERVICE } from '../../domain/access/actor';
import { bootstrapRecords, signalName } from '../../domain/dns/dnssec/parent/bootstrap-signal';
import { announcedKeys, cdsRrsets } from '../../domain/dns/dnssec/parent/cds-records';
import type { DnsRecord } from '../../domain/dns/records/dns-record';
import { relativeOwnerName } from '../../domain/dns/records/record-name';
import { isKeptFor } from '../../domain/dns/delegation/sub-zone';
import { changesNothing, type ZoneChange } from '../../domain/dns/zone-change';
import type { DomainState } from '../../domain/registration/domain';
import { isZoneServed } from '../../domain/registration/domain-status';
import { parentsOf } from '../../domain/shared/domain-name';
import { isAtOrBelow } from '../../domain/shared/name-relation';
import { ServiceError } from '../../domain/shared/service-error';
import { dnsKeyOf } from '../dns/signing/signatures/apex-content';
import { ZoneWriter } from '../dns/zones/zone-writer';
import { SigningReader, ZoneSigningReader } from '../ports/dns/signing-repository';
import { ZoneReader } from '../ports/dns/zone-repository';
import { DomainReader } from '../ports/registration/domain-repository';
import { StorageUnavailable } from '../ports/storage/storage-unavailable';
import { Clock, IdGenerator } from '../ports/system';
import { RegistrationSettings } from '../registration/registration-settings';
import { SubZones } from './sub-zones';

type SignalledZone = Pick<DomainState, 'id' | 'accountId' | 'name'>;

/**
 * Publishes the CDS and CDNSKEY records of a zone under the names of the nameservers, too, if the zone of these is here and signed: a
 * parent can trust them there before it has DS records (RFC 9615). Only while a zone without a registration waits for its first ones.
 */
@injectable()
export class BootstrapSignals {
  constructor(
    @inject(ZoneSigningReader) private readonly signings: Pick<ZoneSigningReader, 'find'>,
    @inject(SigningReader) private readonly keys: Pick<SigningReader, 'find'>,
    @inject(SubZones) private readonly subZones: Pick<SubZones, 'above'>,
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'zonesAmong'>,
    @inject(ZoneReader) private readonly zones: Pick<ZoneReader, 'recordsAt' | 'isSigned'>,
    @inject(ZoneWriter) private readonly writer: Pick<ZoneWriter, 'write'>,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Of a zone that has ended, removes them. Repetition changes nothing. */
  async keep(zone: SignalledZone): Promise<void> {
    const places = await this.places(zone.name);
    if (places.length === 0) return;
    const contents = await this.contents(zone);
    for (const { holder, owner } of places) {
      const isWanted = contents.length > 0 && (await this.zones.isSigned(holder.id));
      await this.keepIn(holder, zone, owner, isWanted ? contents : []);
    }
  }

  /** In the closest zone above each nameserver, if that is here: its account has proven the name. */
  private async places(zoneName: string): Promise<readonly { readonly holder: DomainState; readonly owner: string }[]> {
    const hosts = this.settings.defaultNameservers;
    const above = await this.domains.zonesAmong([...new Set(hosts.flatMap((host) => [host, ...parentsOf(host)]))]);
    const served = above.filter(isZoneServed).toSorted((one, other) => other.name.length - one.name.length);
    return hosts.flatMap((host) => {
      const holder = served.find((each) => isAtOrBelow(host, each.name));
      const name = signalName(zoneName, host);
      return holder && name !== undefined ? [{ holder, owner: relativeOwnerName(name, holder.name) }] : [];
    });
  }

  /** What the parent is asked for; nothing if it is the account's own zone here, or has been asked before. */
  private async contents({ id, accountId, name }: SignalledZone): Promise<ReturnType<typeof cdsRrsets>> {
    const [signing, signed] = [await this.signings.find(id), await this.keys.find(id)];
    const { step, serial = null } = signing?.toState() ?? {};
    const current = (await this.domains.zonesAmong([name])).find((each) => each.id === id);
    if (!signed || step !== 'add_ds' || serial === null || current?.status !== 'hosted') return [];
    if (await this.subZones.above(accountId, name)) return [];
    return cdsRrsets(name, signed.cds, announcedKeys(signed.cds, signed.keys).map(dnsKeyOf));
  }

  private async keepIn(
    holder: DomainState,
    zone: SignalledZone,
    owner: string,
    contents: ReturnType<typeof cdsRrsets>,
  ): Promise<void> {
    const wanted = bootstrapRecords(
      holder.name,
      { zone, owner },
      contents,
      () => this.ids.next('rec'),
      this.clock.now(),
    );
    const present = (await this.zones.recordsAt([{ domainId: holder.id, names: [owner] }])).get(holder.id) ?? [];
    if (changesNothing(changeAt(zone, present, wanted))) return;
    try {
      await this.writer.write(
        { accountId: holder.accountId, actor: SERVICE, domainId: holder.id },
        async ({ recordsAt }) => ({
          change: changeAt(zone, await recordsAt([owner]), wanted),
          keepsDelegations: true,
          result: undefined,
        }),
      );
    } catch (error) {
      // The zone is full: a parent can be asked without them.
      if (!(error instanceof ServiceError) || error instanceof StorageUnavailable) throw error;
    }
  }
}

function changeAt(zone: SignalledZone, present: readonly DnsRecord[], wanted: readonly DnsRecord[]): ZoneChange {
  const [known, stays] = [new Set(present.map(identity)), new Set(wanted.map(identity))];
  return {
    added: wanted.filter((each) => !known.has(identity(each))),
    changed: [],
    removed: present.filter((each) => isKeptFor(zone, each) && !stays.has(identity(each))),
  };
}

function identity(record: DnsRecord): string {
  return record.identity();
}
