import { generateKeyPairSync, sign } from 'node:crypto';
import { parseApplyQuery, withoutSignature } from '../../../../src/domain/domain-connect/apply-query';
import { isSignedBy, keyName, readSignatureKey } from '../../../../src/domain/domain-connect/signature-key';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const SPKI = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

function signedQuery(query: string): string {
  const sig = sign('sha256', Buffer.from(query), privateKey).toString('base64');
  return `${query}&sig=${encodeURIComponent(sig)}&key=_dck1`;
}

function isAccepted(query: string): boolean {
  const { signature } = parseApplyQuery(query);
  const key = readSignatureKey([`p=1,a=RS256,d=${SPKI}`]);
  return signature !== undefined && key !== undefined && isSignedBy(signature, key);
}

describe('the query of a request to connect', () => {
  it('has the parameters of the draft, and the values of variables', () => {
    const query =
      'domain=example.com&host=shop&redirect_uri=https%3A%2F%2Fp.example%2F%3Fa%3D1&state=x+y&groupId=a,b&IP=192.0.2.1&text=a%3Db';

    expect(parseApplyQuery(query)).toEqual({
      domain: 'example.com',
      host: 'shop',
      redirectUri: 'https://p.example/?a=1',
      state: 'x y',
      providerName: undefined,
      serviceName: undefined,
      groups: ['a', 'b'],
      values: { IP: '192.0.2.1', text: 'a=b' },
      signature: undefined,
    });
  });

  it.each([
    ['a repeated parameter', 'domain=example.com&domain=example.net', /repeats the parameter domain/],
    ['a parameter whose name is encoded', 'd%6fmain=example.com', /parameter domain of the link is encoded/],
    ['octets that are not UTF-8', 'domain=example.com&a=%ff', /not well encoded/],
    ['a query of 100 kB', `domain=example.com&a=${'x'.repeat(100_000)}`, /too long/],
    ['a signature without its key', 'domain=example.com&sig=AAAA', /only one of the parameters/],
    ['a signature that is not Base64', 'domain=example.com&sig=A%2DB&key=_k', /not Base64/],
    ['a signature with other spare bits', 'domain=example.com&sig=AB%3D%3D&key=_k', /not Base64/],
    ['101 parameters', Array.from({ length: 101 }, (_each, index) => `v${index}=1`).join('&'), /over 100 parameters/],
  ])('refuses %s', (_what, query, details) => {
    expect(() => parseApplyQuery(query)).toThrow(expect.objectContaining({ details: expect.stringMatching(details) }));
  });
});

describe('the signature of a query', () => {
  it('is over the received octets without sig and key, wherever those are', () => {
    expect(withoutSignature('a=1&sig=x&b=%2b&key=_k&sigma=2')).toBe('a=1&b=%2b&sigma=2');
    expect(isAccepted(signedQuery('a=1&b=2&ip=10.10.10.10&domain=example.net'))).toBe(true);
    expect(isAccepted(signedQuery('domain=example.net&text=%e2%82%ac+x'))).toBe(true);
  });

  it.each([
    ['another value', (query: string) => query.replace('10.0.0.1', '10.0.0.2')],
    ['another encoding of the same value', (query: string) => query.replace('10.0.0.1', '10.0.0.%31')],
    ['another order', (query: string) => query.replace('a=1&ip=10.0.0.1', 'ip=10.0.0.1&a=1')],
    ['a parameter more', (query: string) => `${query}&host=www`],
    ['an empty parameter more', (query: string) => `${query}&`],
    ['a parameter less', (query: string) => query.replace('a=1&', '')],
  ])('does not hold for %s', (_what, change) => {
    const query = signedQuery('a=1&ip=10.0.0.1&domain=example.net');

    expect(isAccepted(query)).toBe(true);
    expect(change(query)).not.toBe(query);
    expect(isAccepted(change(query))).toBe(false);
  });
});

describe('the public key of a provider', () => {
  const half = SPKI.length / 2;

  it('is put together from TXT records in the order of their parts', () => {
    const parts = [`p=2,a=RS256,d=${SPKI.slice(half)}`, 'v=spf1 -all', `p=1, t=x509, d=${SPKI.slice(0, half)}`];

    expect(readSignatureKey(parts)?.equals(publicKey)).toBe(true);
  });

  it.each([
    ['without records', []],
    ['with a missing part', [`p=2,d=${SPKI.slice(half)}`]],
    ['with two records for one part', [`p=1,d=${SPKI}`, `p=1,d=${SPKI}`]],
    ['with another algorithm', [`p=1,a=ES256,d=${SPKI}`]],
    ['with another kind of key', [`p=1,t=pgp,d=${SPKI}`]],
    ['that is no key', ['p=1,d=AAAA']],
    [
      'of an elliptic curve',
      [`d=${generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`],
    ],
    [
      'of 512 bits',
      [
        `d=${generateKeyPairSync('rsa', { modulusLength: 512 }).publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`,
      ],
    ],
  ])('does not exist %s', (_what, texts) => {
    expect(readSignatureKey(texts)).toBeUndefined();
  });

  it('is below the domain of the template, under a host name only', () => {
    expect(keyName('_dck1', 'Keys.example.')).toBe('_dck1.keys.example');
    expect(keyName('_dck1.evil.example/', 'keys.example')).toBeUndefined();
    expect(keyName('a b', 'keys.example')).toBeUndefined();
    expect(keyName('', 'keys.example')).toBeUndefined();
    expect(keyName('x'.repeat(250), 'keys.example')).toBeUndefined();
  });
});
