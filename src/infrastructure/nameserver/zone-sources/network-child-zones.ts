import { RECURSION_DESIRED, type Answer, type RecordType } from 'dns-packet';
import type { ChildAnswer, ChildSignal, ChildZones } from '../../../application/ports/dns/other-nameservers';
import type { DsRecord, DnsKey } from '../../../domain/dns/delegation/ds-record';
import type { ChildRecords, ProvenSet } from '../../../domain/dns/dnssec/parent/child-ds-records';
import { MAX_NAME_LENGTH } from '../../../domain/dns/records/record-name';
import type { Endpoint } from '../../../domain/dns/secondaries/secondary';
import { ask, NAME_ERROR, query, rcodeOf } from './dns-query';
import { NameserverAddresses } from './nameserver-addresses';
import { keyRdata, toKey } from './served-keys';
import type { Network } from '../../network/public-addresses';
import { proofsOf, type ApexSet } from './rrset-proofs';

/** A zone with more keys, or a nameserver that sends more, is not scanned. */
const MAX_RECORDS = 16;
/** The AD bit in a query asks for it in the response (RFC 6840, section 5.7). */
const AUTHENTIC_DATA = 0x20;
const CDS_HEAD = 4;

/** Asks nameservers of other zones over TCP, and resolvers for the signaling names of RFC 9615. */
export class NetworkChildZones implements ChildZones {
  private readonly addresses: NameserverAddresses;

  /** @param resolvers validate, and are reached over a trusted network */
  constructor(
    allowedNetworks: readonly Network[],
    private readonly resolvers: readonly Endpoint[],
  ) {
    this.addresses = new NameserverAddresses(allowedNetworks);
  }

  read(zoneName: string, nameservers: readonly string[]): Promise<readonly ChildAnswer[]> {
    return Promise.all(
      nameservers.map(async (nameserver) => {
        const endpoint = await this.addresses.resolve(nameserver).catch(() => undefined);
        return { nameserver, records: endpoint && (await readChild(zoneName, endpoint, new Date())) };
      }),
    );
  }

  signals(zoneName: string, nameservers: readonly string[]): Promise<readonly ChildSignal[]> {
    return Promise.all(
      nameservers.map(async (nameserver) => {
        const name = `_dsboot.${zoneName}._signal.${nameserver}`;
        // RFC 9615, section 2: a nameserver within the zone would prove the zone with itself.
        const isUsable = !`.${nameserver}`.endsWith(`.${zoneName}`) && name.length <= MAX_NAME_LENGTH;
        const [cds, cdnskeys] = isUsable
          ? [await this.validated(name, 'CDS'), await this.validated(name, 'CDNSKEY')]
          : [];
        if (!cds || !cdnskeys) return { nameserver, signal: undefined };
        return { nameserver, signal: { cds: cds.flatMap(toDsRecord), cdnskeys: cdnskeys.flatMap(toChildKey) } };
      }),
    );
  }

  /** The records of a name if a resolver has validated them, or that there are none. */
  private async validated(name: string, type: RecordType): Promise<readonly Answer[] | undefined> {
    for (const resolver of this.resolvers) {
      const response = await query(resolver, { name, type }, RECURSION_DESIRED | AUTHENTIC_DATA);
      const rcode = rcodeOf(response);
      if (!response?.flag_ad || (rcode !== 0 && rcode !== NAME_ERROR)) continue;
      return (response.answers ?? []).filter((each) => each.type === type && each.name.toLowerCase() === name);
    }
    return undefined;
  }
}

/** Undefined without complete authoritative answers. */
async function readChild(zoneName: string, endpoint: Endpoint, now: Date): Promise<ChildRecords | undefined> {
  const [dnskey, cds, cdnskey] = [
    await apexSet(zoneName, endpoint, 'DNSKEY'),
    await apexSet(zoneName, endpoint, 'CDS'),
    await apexSet(zoneName, endpoint, 'CDNSKEY'),
  ];
  if (!dnskey || !cds || !cdnskey) return undefined;
  const keys = dnskey.answers.flatMap((each) => (each.type === 'DNSKEY' ? [toKey(each)] : []));
  const proven = async <T>(set: Found, records: readonly T[]): Promise<ProvenSet<T>> => ({
    records,
    proofs: await proofsOf(set.apex, keys, now),
  });
  return {
    keys: await proven(dnskey, keys),
    cds: await proven(cds, cds.answers.flatMap(toDsRecord)),
    cdnskeys: await proven(cdnskey, cdnskey.answers.flatMap(toChildKey)),
  };
}

interface Found {
  readonly apex: ApexSet;
  readonly answers: readonly Answer[];
}

async function apexSet(zoneName: string, endpoint: Endpoint, type: ApexSet['type']): Promise<Found | undefined> {
  const found = await ask(endpoint, { name: zoneName, type, withSignatures: true, overTcp: true });
  if (!found || found.answers.length > 2 * MAX_RECORDS) return undefined;
  const answers = found.answers.filter((each) => each.type === type);
  const signatures = found.answers.flatMap((each) =>
    each.type === 'RRSIG' && each.data.typeCovered === type ? [each.data] : [],
  );
  if (answers.length > MAX_RECORDS) return undefined;
  return { apex: { zoneName, type, rdata: answers.map(rdataOf), signatures }, answers };
}

/** dns-packet decodes DNSKEY records, and leaves CDS and CDNSKEY records as octets. */
function rdataOf(answer: Answer): Buffer {
  if (answer.type === 'DNSKEY') return keyRdata(toKey(answer));
  const data: unknown = 'data' in answer ? answer.data : undefined;
  return Buffer.isBuffer(data) ? data : Buffer.alloc(0);
}

function toDsRecord(answer: Answer): DsRecord[] {
  const data = rdataOf(answer);
  if (data.length <= CDS_HEAD) return [];
  return [
    {
      keyTag: data.readUInt16BE(0),
      algorithm: data.readUInt8(2),
      digestType: data.readUInt8(3),
      digest: data.toString('hex', CDS_HEAD).toUpperCase(),
    },
  ];
}

function toChildKey(answer: Answer): DnsKey[] {
  const data = rdataOf(answer);
  if (data.length <= CDS_HEAD) return [];
  return [{ flags: data.readUInt16BE(0), algorithm: data.readUInt8(3), publicKey: data.toString('base64', CDS_HEAD) }];
}
