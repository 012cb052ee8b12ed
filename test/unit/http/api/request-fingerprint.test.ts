import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { requestFingerprint } from '../../../../src/http/api/request-fingerprint';
import { seeded } from '../../../support/seeded';

type Fingerprinted = Parameters<typeof requestFingerprint>[0];

function request(body: unknown): Fingerprinted {
  return {
    caller: { accountId: 'acc_1', actor: { kind: 'key', id: 'AbC-dEf_0123' } },
    method: 'PUT',
    path: '/api/domains/dom_1/dns/zonefile',
    query: { dry_run: 'true', token: 'secret' },
    headers: {},
    body,
  };
}

/** As stored by the versions before long bodies were read cooperatively. */
function formerFingerprint(body: unknown): string {
  const canonical = JSON.stringify(
    ['PUT', '/api/domains/dom_1/dns/zonefile', { dry_run: 'true' }, null, body],
    (_name, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1))
        : inner,
  );
  return createHash('sha256').update(canonical).digest('hex');
}

describe('the fingerprint of a request', () => {
  it('is what earlier versions stored, for any body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ noUnicodeString: false }), async (body) => {
        expect(await requestFingerprint(request(body))).toBe(formerFingerprint(body));
      }),
      seeded(300),
    );
  });

  it.each([
    ['a zone file', `${'a'.repeat(65_535)}\u{1f600}${'"\\\n\u0001ü\u{1f600}'.repeat(40_000)}`],
    ['lone surrogates', `${'a'.repeat(65_535)}\ud83d${'b'.repeat(65_535)}\ude00`],
    ['lone surrogates at the end', `${'a'.repeat(65_535)}\ud83d`],
    [
      'many records',
      {
        create: Array.from({ length: 500 }, (_, index) => ({
          type: 'TXT',
          name: `r${index}`,
          content: 'x'.repeat(500),
        })),
      },
    ],
  ])('is what earlier versions stored, for a long body: %s', async (_what, body) => {
    expect(await requestFingerprint(request(body))).toBe(formerFingerprint(body));
  });

  it('does not depend on the order of members', async () => {
    expect(await requestFingerprint(request({ a: 1, b: [2] }))).toBe(
      await requestFingerprint(request({ b: [2], a: 1 })),
    );
    expect(await requestFingerprint(request({ a: 1, b: [2] }))).not.toBe(
      await requestFingerprint(request({ a: 1, b: [3] })),
    );
  });
});
