import { DnsRecord } from '../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../src/domain/dns/records/types/record-types';
import { dnsVectors } from '../support/data/dns-vectors';
import { thrownBy } from '../support/thrown-by';

/** The vectors of types that are refused by default, with the verdict under RECORD_TYPES=all and its reason. */
const VERDICTS: Readonly<Record<string, string>> = {
  'desec-stack-0073': 'INVALID_RECORD_TYPE', // AFSDB is served as TYPE18 only
  'desec-stack-0074': 'INVALID_RECORD_TYPE', // APL
  'desec-stack-0075': 'example.com.', // DNAME
  'desec-stack-0076': '6454 8 1 24396e17e36d031f71c354b06a979a67a01f503e', // DS; refused later, because no NS record is beside it
  'desec-stack-0077': '1 . alpn="h3"', // HTTPS
  'desec-stack-0078': '23 12 59.000 N 42 22 48.500 W 65.00m 20.00m 10.00m 10.00m', // LOC
  'desec-stack-0079': '100 50 "s" "z3950+I2L+I2C" "" _z3950._tcp.gatech.edu.', // NAPTR
  'desec-stack-0080': 'example.com.', // PTR
  'desec-stack-0081': 'INVALID_RECORD_CONTENT', // SSHFP: a SHA-256 fingerprint of 6 octets
  'desec-stack-0082': 'INVALID_RECORD_CONTENT', // TLSA: a SHA-256 digest of 18 octets
  'desec-stack-0083': '10 1 "ftp://ftp1.example.com/public"', // URI
  'desec-stack-0084': 'INVALID_RECORD_NAME', // DNSKEY below the apex
  'desec-stack-0085': 'INVALID_RECORD_TYPE', // SPF: RFC 7208
  'desec-stack-0086': 'INVALID_RECORD_TYPE', // AA is no type
  'desec-stack-0088': 'INVALID_RECORD_TYPE', // SOA: generated
  'desec-stack-0090': 'INVALID_RECORD_TYPE', // RRSIG: generated
  'desec-stack-0092': 'INVALID_RECORD_TYPE', // KEY: obsolete
  'desec-stack-0093': 'INVALID_RECORD_TYPE', // WKS: obsolete
  'desec-stack-0095': 'INVALID_RECORD_TYPE', // a: upper case only
};

describe('the record vectors with every type switched on', () => {
  const vectors = dnsVectors().records;
  const refused = vectors.filter(({ code }) => code === 'INVALID_RECORD_TYPE');
  const create = (vector: (typeof vectors)[number]) =>
    DnsRecord.create(vector, vector.zone, 'rec_1', new Date(0), ALL_TYPES);

  it('are judged again if their type was refused', () => {
    expect(refused.map(({ id }) => id).toSorted()).toEqual(Object.keys(VERDICTS).toSorted());
  });

  it.each(refused.map((vector) => [vector.id, vector.type, vector] as const))('%s (%s)', (id, _type, vector) => {
    const verdict = VERDICTS[id] ?? '';

    if (verdict.startsWith('INVALID_')) expect(thrownBy(() => create(vector))).toMatchObject({ code: verdict });
    else expect(create(vector).rdata()).toBe(verdict);
  });

  it('keep their verdict if their type was not refused', () => {
    const others = vectors.filter((vector) => vector.code !== 'INVALID_RECORD_TYPE' && hasJsonTypes(vector));
    const judge = (vector: (typeof vectors)[number], types?: typeof ALL_TYPES): unknown => {
      try {
        return DnsRecord.create(vector, vector.zone, 'rec_1', new Date(0), types).rdata();
      } catch (error) {
        return String(error);
      }
    };

    expect(others.map((vector) => judge(vector, ALL_TYPES))).toEqual(others.map((vector) => judge(vector)));
  });
});

function hasJsonTypes({ type, name, content }: { type: unknown; name: unknown; content: unknown }): boolean {
  return [type, name, content].every((value) => typeof value === 'string');
}
