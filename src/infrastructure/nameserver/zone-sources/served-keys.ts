import type { DnskeyAnswer } from 'dns-packet';
import type { ServedKeys } from '../../../application/ports/dns/other-nameservers';
import type { DnsKey } from '../../../domain/dns/delegation/ds-record';
import { isSameKey } from '../../../domain/dns/dnssec/parent/child-ds-records';
import type { Endpoint } from '../../../domain/dns/secondaries/secondary';
import { ask } from './dns-query';
import { proofsOf } from './rrset-proofs';

const PROTOCOL = 3;
/** Keys and signatures. Every key is compared with every signature, and a stranger chooses how many there are. */
const MAX_RECORDS = 32;

/** The DNSKEY RRset of a nameserver, and its keys with a valid signature over it; undefined without an answer, or if it is too long. */
export async function readKeys(zoneName: string, endpoint: Endpoint, now: Date): Promise<ServedKeys | undefined> {
  const answer = await ask(endpoint, { name: zoneName, type: 'DNSKEY', withSignatures: true });
  if (!answer || answer.answers.length > MAX_RECORDS) return undefined;
  const keys = answer.answers.flatMap((each) => (each.type === 'DNSKEY' ? [toKey(each)] : []));
  const signatures = answer.answers.flatMap((each) => (each.type === 'RRSIG' ? [each.data] : []));
  const proofs = await proofsOf({ zoneName, type: 'DNSKEY', rdata: keys.map(keyRdata), signatures }, keys, now);
  return { keys, signing: keys.filter((key) => proofs.some((proof) => isSameKey(proof.key, key))) };
}

export function toKey({ data }: DnskeyAnswer): DnsKey {
  return { flags: data.flags, algorithm: data.algorithm, publicKey: data.key.toString('base64') };
}

/** RFC 4034 section 2.1. */
export function keyRdata({ flags, algorithm, publicKey }: DnsKey): Buffer {
  return Buffer.concat([
    Buffer.from([flags >> 8, flags & 0xff, PROTOCOL, algorithm]),
    Buffer.from(publicKey, 'base64'),
  ]);
}
