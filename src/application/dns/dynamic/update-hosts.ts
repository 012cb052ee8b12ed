import { inject, injectable } from '../../ports/inject';
import { isAddress } from '../../../domain/dns/records/types/record-types';
import type { Requester } from '../../../domain/access/actor';
import { assertRecordsAllowed } from '../../../domain/access/key-permissions';
import { InvalidRecordName } from '../../../domain/dns/dns-errors';
import { DnsRecord } from '../../../domain/dns/records/dns-record';
import { updateAddresses, type AddressRecord, type AddressUpdate } from '../../../domain/dns/update/host-addresses';
import { groupedBy } from '../../../domain/shared/grouped-by';
import { ServiceError } from '../../../domain/shared/service-error';
import { runCooperatively } from '../../shared/run-cooperatively';
import { Clock, IdGenerator } from '../../ports/system';
import { replacement } from '../zones/zone-replacement';
import type { CurrentZone } from '../zones/zone-loader';
import type { ZoneDecision } from '../zones/zone-request';
import { FindZones, type NameInZone } from './find-zones';
import { ApprovalNeeded } from '../../access/approvals/approval-needed';
import { ProgramWriter } from './program-writer';

interface UpdateHostsCommand extends Requester {
  /** Full names: lower-case ASCII without trailing dot. */
  readonly hosts: readonly string[];
  readonly update: AddressUpdate;
}

/**
 * `not_found`: in no zone that the key may change, or without the IPv6 address that a prefix would replace. `refused`: a rule of
 * the zone forbids it. `failed`: try again later.
 */
export type HostOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly addresses: readonly string[] }
  | { readonly kind: 'not_found' | 'invalid_name' | 'refused' | 'failed' };

/**
 * Sets the addresses of hosts. The hosts of a zone change in one version; if one of them cannot be changed, the others change one by one.
 */
@injectable()
export class UpdateHosts {
  constructor(
    @inject(FindZones) private readonly zones: FindZones,
    @inject(ProgramWriter) private readonly writer: ProgramWriter,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** The outcome of each host that `hosts` names. */
  async execute(command: UpdateHostsCommand): Promise<ReadonlyMap<string, HostOutcome>> {
    const hosts = [...new Set(command.hosts)];
    const places = await this.zones.execute(command, hosts);
    const outcomes = new Map<string, HostOutcome>(hosts.map((host) => [host, { kind: 'not_found' }]));
    const zones = groupedBy(places, ([, { domainId }]) => domainId).values();
    const done = await Promise.all([...zones].map((inZone) => this.updateZone(command, inZone)));
    for (const [host, outcome] of done.flat()) outcomes.set(host, outcome);
    return outcomes;
  }

  private async updateZone(command: UpdateHostsCommand, inZone: readonly Placed[]): Promise<readonly Outcome[]> {
    try {
      return await this.write(command, inZone);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const [[host] = NOWHERE, ...others] = inZone;
      if (others.length > 0) return (await Promise.all(inZone.map((each) => this.updateZone(command, [each])))).flat();
      return [[host, { kind: kindOf(error) }]];
    }
  }

  private async write(
    { hosts: _hosts, update, ...requester }: UpdateHostsCommand,
    inZone: readonly Placed[],
  ): Promise<readonly Outcome[]> {
    const [[, { domainId, zoneName }] = NOWHERE] = inZone;
    const types = typesOf(update);
    const asked = inZone.flatMap(([, { name }]) => types.map((type) => ({ name, type })));
    return this.writer.write({ ...requester, domainId, zoneName }, async (zone) => {
      const decision = await this.decide(zone, inZone, update);
      assertRecordsAllowed(requester.actor, asked);
      return decision;
    });
  }

  private async decide(
    zone: CurrentZone,
    inZone: readonly Placed[],
    update: AddressUpdate,
  ): Promise<ZoneDecision<readonly Outcome[]>> {
    const now = this.clock.now();
    const types = typesOf(update);
    const current = (await zone.recordsAt(inZone.map(([, { name }]) => name))).filter(isAddress);
    const wanted: DnsRecord[] = [];
    const result = inZone.map(([host, { name }]): Outcome => {
      const before = current.filter((record) => record.name === name);
      const after = updateAddresses(before.map(addressOf), update).map((record) =>
        DnsRecord.create({ name, ...record }, zone.zoneName, this.ids.next('rec'), now),
      );
      wanted.push(...after);
      const addresses = after.filter(({ type }) => types.includes(type)).map((record) => record.toState().content);
      if (addresses.length === 0) return [host, { kind: 'not_found' }];
      return [host, { kind: areEqual(before, after) ? 'unchanged' : 'changed', addresses }];
    });
    const states = current.map((record) => record.toState());
    return {
      change: await runCooperatively(replacement(states, wanted, zone.delegation, now), zone.accountId),
      result,
    };
  }
}

type Placed = readonly [host: string, place: NameInZone];
type Outcome = readonly [host: string, outcome: HostOutcome];
const NOWHERE: Placed = ['', { domainId: '', zoneName: '', name: '' }];

function addressOf(record: DnsRecord): AddressRecord {
  const { content, ttl } = record.toState();
  return { type: record.type === 'A' ? 'A' : 'AAAA', content, ttl };
}

function typesOf({ ipv4, ipv6, prefix }: AddressUpdate): readonly string[] {
  return [...(ipv4.length > 0 ? ['A'] : []), ...(ipv6.length > 0 || prefix !== undefined ? ['AAAA'] : [])];
}

function areEqual(before: readonly DnsRecord[], after: readonly DnsRecord[]): boolean {
  const identities = new Set(before.map((record) => record.identity()));
  return before.length === after.length && after.every((record) => identities.has(record.identity()));
}

function kindOf(error: ServiceError): 'not_found' | 'invalid_name' | 'refused' | 'failed' {
  if (error instanceof ApprovalNeeded) return 'refused';
  if (error instanceof InvalidRecordName) return 'invalid_name';
  if (error.code === 'DOMAIN_NOT_FOUND' || error.code === 'INSUFFICIENT_SCOPE') return 'not_found';
  return error.code === 'SERVICE_UNAVAILABLE' ? 'failed' : 'refused';
}
