import { ROOT } from '../../domain/dns/records/record-name';
import { isOfSigner } from '../../domain/dns/zone-rules';
import type { ZoneReader } from '../ports/dns/zone-repository';

/** Whether the account has DNSKEY, CDS or CDNSKEY records at the apex, which are the service's while DNSSEC is on. */
export async function hasSignerRecords(zones: Pick<ZoneReader, 'recordsAt'>, domainId: string): Promise<boolean> {
  const found = await zones.recordsAt([{ domainId, names: [ROOT] }]);
  return (found.get(domainId) ?? []).some(isOfSigner);
}
