import type { DnsKey } from '../../delegation/ds-record';
import { DEFAULT_TTL } from '../../records/dns-record';
import { RR_TYPE } from '../rr-types';
import type { NamedRrset } from '../signed-content';
import type { CdsContent } from '../signing-step';
import { cdsData, DELETE_CDNSKEY, DELETE_CDS, dnskeyData } from '../signing-records';

/** The keys whose DS records the parent should have. @param keys oldest first */
export function announcedKeys<Key extends { readonly retiredAt: Date | null }>(
  content: CdsContent,
  keys: readonly Key[],
): readonly Key[] {
  const current = keys.filter(({ retiredAt }) => retiredAt === null);
  if (content === 'keys') return current;
  return content === 'first' ? current.slice(0, 1) : [];
}

/** Parents use CDS records with SHA-256, and others take the keys themselves. @param announced see `announcedKeys` */
export function cdsRrsets(zoneName: string, content: CdsContent, announced: readonly DnsKey[]): readonly NamedRrset[] {
  const isDelete = content === 'delete';
  if (!isDelete && announced.length === 0) return [];
  const cds = isDelete ? [DELETE_CDS] : announced.map((key) => cdsData(zoneName, key));
  const cdnskeys = isDelete ? [DELETE_CDNSKEY] : announced.map(dnskeyData);
  return [
    { type: RR_TYPE.CDS, ttl: DEFAULT_TTL, rdata: cds },
    { type: RR_TYPE.CDNSKEY, ttl: DEFAULT_TTL, rdata: cdnskeys },
  ];
}
