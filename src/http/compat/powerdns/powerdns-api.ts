import type { Request } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { ReadSigning } from '../../../application/dnssec/read-signing';
import { AuthoritySettings, ZoneLimitSettings } from '../../../application/dns/dns-settings';
import { NotifySecondaries } from '../../../application/dns/publishing/notify-secondaries';
import { ChangeRecordSets } from '../../../application/dns/records/change-record-sets';
import { ListRecords } from '../../../application/dns/records/list-records';
import { ListZones } from '../../../application/dns/zones/list-zones';
import { FindDomain } from '../../../application/registration/find-domain';
import type { KeyAction } from '../../../domain/access/key-limits';
import { parseRecordName } from '../../../domain/dns/records/record-name';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { includesType } from '../../../domain/dns/records/types/record-types';
import { startOfAuthority } from '../../../domain/dns/start-of-authority';
import type { Domain } from '../../../domain/registration/domain';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { UNTYPED_JSON_BODY } from '../../api/request-body';
import { RouteNotFound } from '../../shared/errors';
import type { CompatApi, CompatHandler, CompatRequest, CompatResult, CompatRoute } from '../compat-api';
import { powerDnsError } from './powerdns-errors';
import { cryptoKey, JSON_CONTENT, listedZone, RrsetList, SERVER, zone } from './powerdns-presenter';
import { readRrsetPatch } from './rrset-patch';
import { assertUnchanged } from './zone-settings';
import { powerDnsZoneId, zoneNameOfId } from './powerdns-zone-id';
import { PowerDnsZones } from './powerdns-zones';

/** The cost of a request that reads a whole zone, or changes any number of its records. */
const WIDE = 5;
const PATCH = { body: UNTYPED_JSON_BODY, cost: WIDE };
const ZONES = '/api/v1/servers/:server/zones';

/**
 * The part of the HTTP API of the PowerDNS Authoritative Server that its clients use. Zones of domains are created and deleted with
 * the registration only. https://doc.powerdns.com/authoritative/http-api/
 */
@injectable()
export class PowerDnsApi implements CompatApi {
  readonly prefix = '/compat/powerdns';
  readonly keyOf = keyInHeader;
  readonly presentError = powerDnsError;
  readonly routes: readonly CompatRoute[] = [
    ['get', '/api', 'READ', async () => ok([{ url: '/api/v1', version: 1 }])],
    ['get', '/api/v1/servers', 'READ', async () => ok([SERVER])],
    ['get', '/api/v1/servers/:server', 'READ', ofLocalhost(async () => ok(SERVER))],
    ['get', ZONES, 'READ', ofLocalhost((request) => this.zones(request))],
    ['post', ZONES, 'WRITE', ofLocalhost((request) => this.create(request)), PATCH],
    ['delete', `${ZONES}/:zone`, 'WRITE', ofLocalhost((request) => this.remove(request))],
    ['get', `${ZONES}/:zone`, 'READ', ofLocalhost((request) => this.zone(request)), { cost: WIDE }],
    ['patch', `${ZONES}/:zone`, 'WRITE', ofLocalhost((request) => this.patch(request)), PATCH],
    ['put', `${ZONES}/:zone`, 'WRITE', ofLocalhost((request) => this.put(request)), { body: UNTYPED_JSON_BODY }],
    ['get', `${ZONES}/:zone/cryptokeys`, 'READ', ofLocalhost((request) => this.cryptoKeys(request))],
    ['get', `${ZONES}/:zone/cryptokeys/:key`, 'READ', ofLocalhost((request) => this.cryptoKey(request))],
    ['put', `${ZONES}/:zone/notify`, 'WRITE', ofLocalhost((request) => this.notify(request))],
  ];

  constructor(
    @inject(ListZones) private readonly listZones: ListZones,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ListRecords) private readonly records: ListRecords,
    @inject(ChangeRecordSets) private readonly changeRecordSets: ChangeRecordSets,
    @inject(PowerDnsZones) private readonly powerDnsZones: PowerDnsZones,
    @inject(NotifySecondaries) private readonly notifySecondaries: NotifySecondaries,
    @inject(ReadSigning) private readonly readSigning: ReadSigning,
    @inject(AuthoritySettings) private readonly authority: AuthoritySettings,
    @inject(ZoneLimitSettings) private readonly limits: ZoneLimitSettings,
  ) {}

  private async zones(request: CompatRequest): Promise<CompatResult> {
    const { zone: name } = request.query;
    if (typeof name === 'string') return ok(await this.zonesNamed(request, name));
    const zones: object[] = [];
    for await (const page of this.listZones.all(request.caller))
      zones.push(...page.map((each) => listedZone(each.name, each)));
    return ok(zones);
  }

  private async zonesNamed(request: CompatRequest, name: string): Promise<readonly object[]> {
    try {
      const zones = await this.listZones.of([(await this.findZone(request, name)).toState()]);
      return zones.map((each) => listedZone(each.name, each));
    } catch (error) {
      if (error instanceof DomainNotFound) return [];
      throw error;
    }
  }

  private async zone(request: CompatRequest): Promise<CompatResult> {
    const { rrsets: withRrsets, rrset_name: name, rrset_type: type } = request.query;
    const domain = await this.findZone(request, request.params['zone'] ?? '');
    const { name: zoneName, nameservers } = domain.toState();
    const { serial, pages } = await this.records.all(request.caller, domain.id, {});
    const soa = startOfAuthority({ zoneName, serial, nameservers }, this.authority);
    const facts = { serial, signing: (await this.listZones.of([domain.toState()]))[0]?.signing ?? 'off' } as const;
    if (withRrsets === 'false') return ok(zone(zoneName, facts, undefined));
    const list = new RrsetList(zoneName, soa, nameservers);
    for await (const page of pages) for (const record of page) if (this.isShown(record)) list.add(record);
    const only = {
      name: typeof name === 'string' ? parseRecordName(name, zoneName) : undefined,
      type: typeof type === 'string' ? type.toUpperCase() : undefined,
    };
    return ok(zone(zoneName, facts, list.rrsets(only)));
  }

  /** What only dynamic updates write is left out: some clients fail at a type that they do not know. */
  private isShown({ type }: DnsRecordState): boolean {
    return type !== 'DHCID' || includesType(this.limits.types, type);
  }

  private async patch(request: CompatRequest): Promise<CompatResult> {
    const domain = await this.findZone(request, request.params['zone'] ?? '', 'write');
    const { name: zoneName, nameservers } = domain.toState();
    // Of the SOA, all but the serial is compared.
    const soa = startOfAuthority({ zoneName, serial: 0, nameservers }, this.authority);
    const changes = readRrsetPatch(request.body, soa);
    await this.changeRecordSets.execute({ ...request.caller, domainId: domain.id, zoneName, changes });
    return { status: 204 };
  }

  private async create(request: CompatRequest): Promise<CompatResult> {
    const name = await this.powerDnsZones.create(request.caller, request.body);
    const params = { ...request.params, zone: powerDnsZoneId(name) };
    return { ...(await this.zone({ ...request, params })), status: 201 };
  }

  private async remove(request: CompatRequest): Promise<CompatResult> {
    const domain = await this.findZone(request, request.params['zone'] ?? '');
    await this.powerDnsZones.remove(request.caller, domain.id);
    return { status: 204 };
  }

  /** What programs set that is not stored here changes nothing; what they can set elsewhere is refused. */
  private async put(request: CompatRequest): Promise<CompatResult> {
    const domain = await this.findZone(request, request.params['zone'] ?? '', 'write');
    const [facts] = await this.listZones.of([domain.toState()]);
    assertUnchanged(request.body, facts ? facts.signing !== 'off' : false);
    return { status: 204 };
  }

  private async cryptoKeys(request: CompatRequest): Promise<CompatResult> {
    return ok(await this.readKeys(request));
  }

  private async cryptoKey(request: CompatRequest): Promise<CompatResult> {
    const key = (await this.readKeys(request))[Number(request.params['key']) - 1];
    if (!key) throw new RouteNotFound();
    return ok(key);
  }

  private async readKeys(request: CompatRequest): Promise<readonly object[]> {
    const domain = await this.findZone(request, request.params['zone'] ?? '');
    const { keys } = await this.readSigning.of(domain);
    return keys.map((key, index) => cryptoKey(domain.name.value, key, index));
  }

  private async notify(request: CompatRequest): Promise<CompatResult> {
    const domain = await this.findZone(request, request.params['zone'] ?? '', 'write');
    await this.notifySecondaries.execute({ ...request.caller, domainId: domain.id });
    return ok({ result: 'Notification queued' });
  }

  /** @throws DomainNotFound */
  private async findZone({ caller }: CompatRequest, zoneId: string, action: KeyAction = 'read'): Promise<Domain> {
    return this.findDomain.zoneByName({ ...caller, name: zoneNameOfId(zoneId) }, action);
  }
}

function keyInHeader({ headers }: Request): string | undefined {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : undefined;
}

function ok(body: object): CompatResult {
  return { status: 200, headers: JSON_CONTENT, body };
}

/** The only server is `localhost`, as with PowerDNS. @throws RouteNotFound */
function ofLocalhost(handler: CompatHandler): CompatHandler {
  return async (request) => {
    if (request.params['server'] !== 'localhost') throw new RouteNotFound();
    return handler(request);
  };
}
