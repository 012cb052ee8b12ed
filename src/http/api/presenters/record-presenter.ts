import type { DnsRecordState } from '../../../domain/dns/records/dns-record';

/** `weight` and `port` belong to SRV records only: JSON has no member for what is undefined. */
export function dnsRecord(record: DnsRecordState): object {
  const isService = record.type === 'SRV';
  return {
    id: record.id,
    type: record.type,
    name: record.name,
    content: record.content,
    ttl: record.ttl,
    priority: record.priority,
    weight: isService ? record.weight : undefined,
    port: isService ? record.port : undefined,
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
  };
}
