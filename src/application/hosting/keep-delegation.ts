import { inject, injectable } from '../ports/inject';
import { SERVICE } from '../../domain/access/actor';
import type { DnsRecord } from '../../domain/dns/records/dns-record';
import { isAddress } from '../../domain/dns/records/types/record-types';
import { isKeptForZone } from '../../domain/dns/delegation/sub-zone';
import {
  delegationChange,
  delegationPlace,
  delegationRecords,
  hostsInside,
} from '../../domain/dns/delegation/sub-zone-delegation';
import { changesNothing, type ZoneChange } from '../../domain/dns/zone-change';
import { Domain, type DomainState } from '../../domain/registration/domain';
import { ServiceError } from '../../domain/shared/service-error';
import { domainChanged } from '../audit/domain-audit';
import { ZoneWriter } from '../dns/zones/zone-writer';
import { ZoneReader } from '../ports/dns/zone-repository';
import { DomainReader, type OwnedDomain } from '../ports/registration/domain-repository';
import { StorageUnavailable } from '../ports/storage/storage-unavailable';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock, IdGenerator, LifecycleClock } from '../ports/system';
import { recheckSigning } from '../publishing/add-registration';
import { raisePublishedVersions } from '../publishing/raise-published-versions';
import { RegistrationSettings } from '../registration/registration-settings';
import { SubZones } from './sub-zones';

/**
 * Keeps what follows from a hosted zone in step, whatever has changed: its nameservers are the present default ones, and if the account
 * has a zone above, that one delegates to them, with their addresses. A delegation that someone made by hand stays. Repetition changes nothing.
 */
@injectable()
export class KeepDelegation {
  constructor(
    @inject(SubZones) private readonly subZones: Pick<SubZones, 'above' | 'namesOf'>,
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'zonesAmong'>,
    @inject(ZoneReader) private readonly zones: Pick<ZoneReader, 'namesBelow' | 'recordsAt'>,
    @inject(ZoneWriter) private readonly writer: Pick<ZoneWriter, 'write'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'domains' | 'zones' | 'zoneSignings'>,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute({ id, name }: OwnedDomain): Promise<void> {
    const stored = (await this.domains.zonesAmong([name])).find((each) => each.id === id);
    if (stored?.status !== 'hosted') return;
    const zone = await this.withPresentNameservers(stored);
    const above = zone && (await this.subZones.above(zone.accountId, name));
    if (above) await this.delegate(zone, above);
  }

  /** Undefined if it has ended meanwhile. */
  private async withPresentNameservers(zone: DomainState): Promise<DomainState | undefined> {
    const { defaultNameservers } = this.settings;
    if (zone.nameservers.join() === defaultNameservers.join()) return zone;
    return this.unitOfWork.run(async (stores) => {
      const domain = await stores.domains.lock(zone.accountId, zone.id);
      if (domain?.status !== 'hosted') return undefined;
      const before = domain.toState();
      domain.delegateTo(defaultNameservers, this.lifecycleClock.now());
      const [by, after] = [{ actor: SERVICE, at: this.clock.now() }, domain.toState()];
      await stores.domains.save(domain);
      await raisePublishedVersions(stores, before, after, by, () => this.ids.next('rec'));
      await stores.audit.append(domainChanged({ ...by, action: 'domain.synchronized', before, after }));
      return after;
    }, zone.accountId);
  }

  private async delegate(zone: DomainState, above: DomainState): Promise<void> {
    const names = await this.subZones.namesOf(this.zones, above, zone);
    const wanted = await this.wanted(zone, above);
    const all = [...new Set([...names, ...wanted.map((each) => each.name)])];
    const { owner } = delegationPlace(above.name, zone.name);
    const change = (present: readonly DnsRecord[]) => changeAt(owner, zone, present, wanted);
    if (changesNothing(change(await this.recordsAt(above, all)))) return;
    try {
      await this.writer.write(
        { accountId: above.accountId, actor: SERVICE, domainId: above.id },
        async ({ recordsAt }) => ({ change: change(await recordsAt(all)), keepsDelegations: true, result: undefined }),
      );
    } catch (error) {
      // The rules of the zone above forbid it: its records say so, and no one waits.
      if (!(error instanceof ServiceError) || error instanceof StorageUnavailable) throw error;
      return;
    }
    // The parent that has the DS records may be another one now.
    const now = this.lifecycleClock.now();
    await this.unitOfWork.run((stores) => recheckSigning(stores, Domain.fromState(zone), now), zone.accountId);
  }

  private async wanted(zone: DomainState, above: DomainState): Promise<readonly DnsRecord[]> {
    const hosts = hostsInside(zone);
    const addresses = hosts.length === 0 ? [] : (await this.recordsAt(zone, hosts)).filter(isAddress);
    return delegationRecords(above.name, zone, addresses, () => this.ids.next('rec'), this.clock.now());
  }

  private async recordsAt({ id }: Pick<DomainState, 'id'>, names: readonly string[]): Promise<readonly DnsRecord[]> {
    return (await this.zones.recordsAt([{ domainId: id, names }])).get(id) ?? [];
  }
}

/** Nothing if someone has delegated the name by hand. */
function changeAt(
  owner: string,
  zone: DomainState,
  present: readonly DnsRecord[],
  wanted: readonly DnsRecord[],
): ZoneChange {
  const ns = present.filter(({ type, name }) => type === 'NS' && name === owner);
  const isOthers = ns.length > 0 && !ns.some((each) => isKeptForZone(each.toState()));
  return isOthers ? { added: [], changed: [], removed: [] } : delegationChange(zone, present, wanted);
}
