import { quoteCharacterString } from '../../../src/domain/dns/records/text/character-string';
import { clampTtl, DnsRecord } from '../../../src/domain/dns/records/dns-record';
import { ALL_TYPES, findRecordType, type RecordType } from '../../../src/domain/dns/records/types/record-types';
import { joinTxt } from '../../../src/domain/dns/records/text/txt-content';
import type { AppliedInstance } from '../../../src/domain/domain-connect/applied-instance';
import { groupedBy } from '../../../src/domain/shared/grouped-by';
import { ServiceError } from '../../../src/domain/shared/service-error';
import type { CaseRecord } from './reference-cases';

const NAME_TARGETS: ReadonlySet<string> = new Set(['ALIAS', 'CNAME', 'MX', 'NS', 'SRV']);

/** What the cases tell of SRV records beside their names. */
export interface SrvService {
  readonly service: string;
  readonly protocol: string;
}

/** The zone of a case in the terms of this service: its records, and the services that they belong to. */
export class ReferenceZone {
  readonly records: readonly DnsRecord[];
  readonly instances: readonly AppliedInstance[];

  /** @param srv of SRV records that do not tell theirs */
  constructor(
    private readonly domain: string,
    present: readonly CaseRecord[],
    private readonly srv: SrvService,
  ) {
    const read = present.flatMap((each, index) => {
      const type = typeOf(each);
      const { _dc: service } = each;
      return type === undefined ? [] : [{ service, record: this.recordOf(each, type, index) }];
    });
    this.records = read.map(({ record }) => record);
    const owned = read.flatMap(({ service, record }) => (service ? [{ service, record }] : []));
    this.instances = [...groupedBy(owned, ({ service }) => service.id).values()].flatMap((all) => {
      const [first] = all;
      if (!first) return [];
      const { id, providerId, serviceId, host } = first.service;
      const records = all.map(({ service, record }) => ({
        identity: record.identity(),
        name: record.name,
        type: record.type,
        essential: service.essential,
      }));
      return [{ id, providerId, serviceId, host: host || '@', records, spf: [] }];
    });
  }

  /** In one line, with the services that the record belongs to. */
  show(record: DnsRecord, instances: readonly AppliedInstance[]): string {
    const { name, ttl, type } = record;
    const rdata = type === 'TXT' ? joinTxt(record.toState().content) : record.rdata().toLowerCase();
    const owners = instances.flatMap(({ id, providerId, serviceId, host, records }) =>
      records
        .filter(({ identity }) => identity === record.identity())
        .map(({ essential }) => ownerText({ id, providerId, serviceId, host, essential })),
    );
    return [name, ttl, type, rdata, ...owners].join(' ');
  }

  /** As `show`. */
  showExpected(record: CaseRecord, withServices: boolean): string {
    const { ttl, priority, weight, port, _dc: service } = record;
    const type = typeOf(record) ?? record.type;
    const numbers = [priority, weight, port].filter((each) => each !== undefined);
    const rdata = type === 'TXT' ? unquoted(record.data) : this.dataOf(record, type).toLowerCase();
    const owners = withServices && service ? [ownerText(service)] : [];
    return [this.ownerOf(record), ttl, type, ...numbers, rdata, ...owners].join(' ');
  }

  /** The cases have records that this service would not create; what a zone already has is taken as it is. */
  private recordOf(record: CaseRecord, type: RecordType, index: number): DnsRecord {
    const owner = this.ownerOf(record);
    const { priority = null, weight = null, port = null } = record;
    const values = { type, ttl: clampTtl(record.ttl), priority, weight, port };
    const content = type === 'TXT' ? quoteCharacterString(unquoted(record.data)) : this.dataOf(record, type);
    const name = owner === '@' ? `${this.domain}.` : `${owner}.${this.domain}.`;
    const [id, now] = [`old${index}`, new Date(0)];
    try {
      return DnsRecord.create({ ...values, name, content }, this.domain, id, now, ALL_TYPES);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return DnsRecord.fromState({ ...values, name: owner, content, id, createdAt: now, updatedAt: now });
    }
  }

  /** Targets are written with and without the dot at their end. */
  private dataOf({ data }: CaseRecord, type: string): string {
    if (!NAME_TARGETS.has(type)) return data;
    if (data === '@') return `${this.domain}.`;
    return data.endsWith('.') ? data : `${data}.`;
  }

  private ownerOf({ type, name, service = this.srv.service, protocol = this.srv.protocol }: CaseRecord): string {
    const owner = name.toLowerCase();
    if (type !== 'SRV') return owner;
    const labels = `_${serviceLabel(service)}._${protocol.toLowerCase().replace(/^_/, '')}`;
    return owner === '@' ? labels : `${labels}.${owner}`;
  }
}

/** The cases have names of hosts in the place of services: their first label counts. */
export function serviceLabel(service: string): string {
  return (service.split('.')[0] ?? '').replace(/^_/, '');
}

/** Undefined for redirects, which are no records here. */
function typeOf({ type }: CaseRecord): RecordType | undefined {
  const name = type.toUpperCase();
  if (name === 'APEXCNAME') return 'ALIAS';
  return findRecordType(name);
}

function unquoted(text: string): string {
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}

function ownerText({ id, providerId, serviceId, host, essential }: Required<CaseRecord>['_dc']): string {
  return [id, providerId, serviceId, host || '@', essential].join(' ');
}
