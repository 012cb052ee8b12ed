import type { DesiredState, DnsRecord, Domain, Zone } from '../../../typescript/src/namewright.ts';

type StateRecord = NonNullable<DesiredState['records']>[number];

/** Of records that the service keeps, for addresses and for zones below; a state never has them. */
const KEPT_BY_SERVICE = /^(ptr|zone_[0-9a-z]+)$/;
const DEFAULT_TTL = 3600;
/** States of signing in which the zone is to be signed. In `error` it depends. */
const SIGNED: readonly Zone['dnssec']['state'][] = ['publishing', 'waiting_for_ds', 'active'];

/** The state that a name has now: planned, it changes nothing. */
export function stateOf(
  zone: Zone,
  records: readonly DnsRecord[],
  domain: Domain | undefined,
  isSigned = SIGNED.includes(zone.dnssec.state),
): DesiredState {
  return {
    ...(domain && {
      nameservers: domain.nameservers,
      transfer_locked: domain.transfer_locked,
      auto_renew: domain.auto_renew,
    }),
    tags: zone.tags,
    ...(isSigned && { dnssec: { enabled: true } }),
    records: records.filter(({ managed_by: manager = '' }) => !KEPT_BY_SERVICE.test(manager)).map(stateRecordOf),
  };
}

function stateRecordOf(record: DnsRecord): StateRecord {
  const { name, type, content, ttl, priority, weight, port, comment, managed_by: manager, ptr } = record;
  return {
    name,
    type,
    content,
    ...(ttl !== DEFAULT_TTL && { ttl }),
    ...(priority !== null && { priority }),
    ...(weight !== undefined && { weight }),
    ...(port !== undefined && { port }),
    ...(comment !== undefined && { comment }),
    ...(manager !== undefined && { managed_by: manager }),
    ...(ptr !== undefined && { ptr }),
  };
}

/** YAML with a record on each line. */
export async function yamlOf(state: DesiredState): Promise<string> {
  const { Document } = await import('yaml');
  const document = new Document(state);
  const records = state.records?.map((record) => document.createNode(record, { flow: true })) ?? [];
  document.set('records', document.createNode(records));
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}
