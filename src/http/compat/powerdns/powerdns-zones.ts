import { inject, injectable } from '../../../application/ports/inject';
import { ChangeSigning } from '../../../application/dnssec/change-signing';
import { AuthoritySettings } from '../../../application/dns/dns-settings';
import { CreateZone } from '../../../application/hosting/create-zone';
import { DeleteZone } from '../../../application/hosting/delete-zone';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import type { Requester } from '../../../domain/access/actor';
import { startOfAuthority } from '../../../domain/dns/start-of-authority';
import { ValidationError } from '../../../domain/shared/validation-error';
import { membersOf, type Members } from '../request-members';
import { zoneNameOfId } from './powerdns-zone-id';
import { readRrsetPatch } from './rrset-patch';
import { assertPrimary } from './zone-settings';

const NS_TTL = 3_600;

/** Creates and deletes zones of names that are not registered here, as clients of PowerDNS do. */
@injectable()
export class PowerDnsZones {
  constructor(
    @inject(CreateZone) private readonly createZone: CreateZone,
    @inject(DeleteZone) private readonly deleteZone: DeleteZone,
    @inject(ChangeSigning) private readonly changeSigning: ChangeSigning,
    @inject(AuthoritySettings) private readonly authority: AuthoritySettings,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
  ) {}

  /**
   * Returns the name of the zone, which is created with all of its records or not at all. If DNSSEC cannot be switched on, it is deleted.
   * @throws ValidationError, the errors of the use cases
   */
  async create(caller: Requester, body: unknown): Promise<string> {
    const members = membersOf(body, 'The body');
    assertPrimary(members);
    const name = zoneNameIn(members);
    const { defaultNameservers: nameservers } = this.settings;
    const soa = startOfAuthority({ zoneName: name, serial: 0, nameservers }, this.authority);
    const rrsets = [...nameserverSets(members, name, nameservers), ...rrsetsIn(members)];
    const changes = readRrsetPatch({ rrsets }, soa);
    const from = changes.length > 0 ? ({ source: 'record sets', changes } as const) : undefined;
    const { owner } = await this.createZone.execute({ ...caller, zone: { name }, movesRecords: false, from });
    if (members['dnssec'] === true) await this.sign({ ...caller, domainId: owner.id });
    return owner.name;
  }

  private async sign(command: Requester & { readonly domainId: string }): Promise<void> {
    try {
      await this.changeSigning.execute({ ...command, enabled: true });
    } catch (error) {
      await this.deleteZone.execute(command);
      throw error;
    }
  }

  async remove(caller: Requester, domainId: string): Promise<void> {
    await this.deleteZone.execute({ ...caller, domainId });
  }
}

function zoneNameIn({ name, zone }: Members): string {
  if (typeof name !== 'string' || !name.endsWith('.')) throw ValidationError.of('name', 'must have a trailing dot');
  if (zone !== undefined) throw ValidationError.of('zone', 'is not supported: give the records as rrsets');
  return zoneNameOfId(name);
}

/** What a PATCH has as a REPLACE. */
function rrsetsIn({ rrsets = [] }: Members): readonly object[] {
  if (!Array.isArray(rrsets)) throw ValidationError.of('rrsets', 'must be an array');
  return rrsets.map((rrset: unknown, index) => ({
    changetype: 'REPLACE',
    ...membersOf(rrset, `rrsets[${index}]`),
  }));
}

/** Nameservers that are not this service's are added to the NS records of the apex. */
function nameserverSets({ nameservers = [] }: Members, zoneName: string, ours: readonly string[]): readonly object[] {
  if (!Array.isArray(nameservers) || !nameservers.every(isHost))
    throw ValidationError.of('nameservers', 'must be host names with a trailing dot');
  const others = nameservers.filter((host) => !ours.includes(host.slice(0, -1).toLowerCase()));
  if (others.length === 0) return [];
  const records = [...ours.map((host) => `${host}.`), ...others].map((content) => ({ content, disabled: false }));
  return [{ name: `${zoneName}.`, type: 'NS', ttl: NS_TTL, changetype: 'REPLACE', records }];
}

function isHost(host: unknown): host is string {
  return typeof host === 'string' && host.endsWith('.');
}
