import type { DnsRecordState } from '../../../domain/dns/dns-record';

/** `weight` and `port` belong to SRV records only. */
export function dnsRecord(record: DnsRecordState): object {
  return {
    id: record.id,
    type: record.type,
    name: record.name,
    content: record.content,
    ttl: record.ttl,
    priority: record.priority,
    ...(record.type === 'SRV' && { weight: record.weight, port: record.port }),
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
  };
}
