import type { ListedRecord } from '../../../../application/dns/records/list-records';
import type { AliasStatus } from '../../../../application/ports/dns/alias-repository';
import { addressRecords } from '../../../../domain/dns/alias/alias-addresses';

/** `weight` and `port` belong to SRV records only: JSON omits undefined members. */
export function dnsRecord(record: ListedRecord): object {
  const isService = record.type === 'SRV';
  const createdAt = record.createdAt.toISOString();
  // Most records were never changed, and a list has many times.
  const isChanged = record.updatedAt.getTime() !== record.createdAt.getTime();
  return {
    id: record.id,
    type: record.type,
    name: record.name,
    content: record.content,
    ttl: record.ttl,
    priority: record.priority,
    weight: isService ? record.weight : undefined,
    port: isService ? record.port : undefined,
    created_at: createdAt,
    updated_at: isChanged ? record.updatedAt.toISOString() : createdAt,
    ...(record.alias && {
      resolved: addressRecords(record, record.alias.addresses).map(({ type, content, ttl }) => ({
        type,
        content,
        ttl,
      })),
      resolution: resolution(record.alias),
    }),
  };
}

/** How the target of an ALIAS record was followed. */
export function resolution({ state: found }: AliasStatus): object {
  const { checkedAt = null, error = null, failingSince = null } = found ?? {};
  const state = checkedAt === null ? 'pending' : error === null ? 'resolved' : 'failing';
  return {
    state,
    error,
    checked_at: checkedAt?.toISOString() ?? null,
    failing_since: failingSince?.toISOString() ?? null,
  };
}
