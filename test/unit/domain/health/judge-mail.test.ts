import { judgeDmarc, judgeMx, judgeSpf } from '../../../../src/domain/health/judge-mail';
import type { Lookup } from '../../../../src/domain/health/lookup';

const found = (...records: string[]): Lookup => ({ kind: 'found', records, via: [], isAuthentic: false });
const NO_DATA: Lookup = { kind: 'no_data', via: [] };
const NO_NAME: Lookup = { kind: 'no_name', via: [] };
const FAILED: Lookup = { kind: 'failed', reason: 'the resolver did not respond' };
const ALIAS: Lookup = { kind: 'found', records: ['192.0.2.1'], via: ['mail.example.net'], isAuthentic: false };

function aHost(A: Lookup, AAAA: Lookup = NO_DATA, host = 'mail.example.com') {
  return { preference: 10, host, addresses: { A, AAAA } };
}

describe('the check of MX records', () => {
  it.each([
    ['a host with an IPv4 address', [aHost(found('192.0.2.1'))], 'ok'],
    ['a host with an IPv6 address only', [aHost(NO_DATA, found('2001:db8::1'))], 'ok'],
    ['a null MX record', [aHost(NO_DATA, NO_DATA, '')], 'ok'],
    ['no MX record', [], 'not_applicable'],
    ['a host that is a CNAME, even if it has an address', [aHost(ALIAS)], 'problem'],
    ['a host without address', [aHost(NO_DATA)], 'problem'],
    ['a host that does not exist', [aHost(NO_NAME, NO_NAME)], 'problem'],
    ['a broken host beside a good one', [aHost(found('192.0.2.1')), aHost(NO_NAME, NO_NAME)], 'problem'],
    ['a null MX record beside a host', [aHost(NO_DATA, NO_DATA, ''), aHost(found('192.0.2.1'))], 'problem'],
    ['a host that could not be looked up', [aHost(FAILED, FAILED)], 'unknown'],
    ['a host whose IPv6 address alone could not be looked up', [aHost(NO_DATA, FAILED)], 'unknown'],
  ])('judges %s', (_case, hosts, state) => {
    expect(judgeMx({ hosts }).state).toBe(state);
  });

  it('is unknown if the MX records could not be read', () => {
    expect(judgeMx({ hosts: undefined, failure: 'SERVFAIL' })).toMatchObject({
      state: 'unknown',
      evidence: ['SERVFAIL'],
    });
  });
});

const judgeTexts = (texts: Lookup, included: Record<string, Lookup> = {}, receivesMail = true) =>
  judgeSpf({ texts, included: new Map(Object.entries(included)), receivesMail });

describe('the check of SPF', () => {
  /** A chain of includes that costs so many look-ups. */
  const chain = (length: number): Record<string, Lookup> =>
    Object.fromEntries(
      Array.from({ length }, (_each, index) => [
        `i${index}.example`,
        found(index === length - 1 ? 'v=spf1 -all' : `v=spf1 include:i${index + 1}.example -all`),
      ]),
    );

  it.each<[string, Lookup, Record<string, Lookup>, string]>([
    ['one record of addresses', found('v=spf1 ip4:192.0.2.0/24 -all'), {}, 'ok'],
    ['a record among other TXT records', found('other', 'V=SPF1 mx ~all', 'v=spf10 x'), {}, 'ok'],
    ['an include', found('v=spf1 include:i0.example -all'), chain(1), 'ok'],
    ['a redirect', found('v=spf1 redirect=i0.example'), chain(1), 'ok'],
    ['an unknown modifier, which receivers ignore', found('v=spf1 x-new=1 -all'), {}, 'ok'],
    ['a macro, which depends on the message', found('v=spf1 exists:%{i}.example include:%{d}.example -all'), {}, 'ok'],
    ['ten look-ups', found('v=spf1 include:i0.example -all'), chain(10), 'ok'],
    ['eleven look-ups', found('v=spf1 include:i0.example -all'), chain(11), 'problem'],
    ['two records', found('v=spf1 mx -all', 'v=spf1 a -all'), {}, 'problem'],
    ['an unknown mechanism', found('v=spf1 ipv4:192.0.2.1 -all'), {}, 'problem'],
    ['an include without a domain', found('v=spf1 include: -all'), {}, 'problem'],
    ['an include of a name without SPF', found('v=spf1 include:i0.example -all'), { 'i0.example': NO_DATA }, 'problem'],
    ['an include of a missing name', found('v=spf1 include:i0.example -all'), { 'i0.example': NO_NAME }, 'problem'],
    [
      'an include of itself',
      found('v=spf1 include:i0.example -all'),
      { 'i0.example': found('v=spf1 include:i0.example -all') },
      'problem',
    ],
    ['+all', found('v=spf1 all'), {}, 'problem'],
    ['no all', found('v=spf1 mx'), {}, 'warning'],
    ['no record', found('other'), {}, 'warning'],
    [
      'an include that could not be looked up',
      found('v=spf1 include:i0.example -all'),
      { 'i0.example': FAILED },
      'unknown',
    ],
    [
      '+all beside an include that could not be looked up',
      found('v=spf1 include:i0.example +all'),
      { 'i0.example': FAILED },
      'problem',
    ],
    ['TXT records that could not be read', FAILED, {}, 'unknown'],
  ])('judges %s', (_case, texts, included, state) => {
    expect(judgeTexts(texts, included).state).toBe(state);
  });

  it('does not apply to a domain without a record that receives no mail', () => {
    expect(judgeTexts(NO_DATA, {}, false).state).toBe('not_applicable');
  });

  it('does not follow a redirect of a record that has all (RFC 7208 section 6.1)', () => {
    expect(judgeTexts(found('v=spf1 -all redirect=missing.example'), {}).state).toBe('ok');
  });
});

describe('the check of DMARC', () => {
  it.each<[string, Lookup, string]>([
    ['a policy', found('v=DMARC1; p=reject; rua=mailto:a@example.com'), 'ok'],
    ['a policy that only asks for reports', found('v=DMARC1;p=none'), 'ok'],
    ['a record among other TXT records', found('other', 'v=DMARC1; p=quarantine'), 'ok'],
    ['two records', found('v=DMARC1; p=none', 'v=DMARC1; p=reject'), 'problem'],
    ['no policy', found('v=DMARC1; rua=mailto:a@example.com'), 'problem'],
    ['an unknown policy', found('v=DMARC1; p=block'), 'problem'],
    ['an address for reports that is no URI', found('v=DMARC1; p=none; rua=a@example.com'), 'warning'],
    ['no record', NO_NAME, 'warning'],
    ['a record that could not be read', { kind: 'servfail' }, 'unknown'],
  ])('judges %s', (_case, texts, state) => {
    expect(judgeDmarc({ texts, receivesMail: true }).state).toBe(state);
  });

  it('does not apply to a domain without a record that receives no mail', () => {
    expect(judgeDmarc({ texts: NO_DATA, receivesMail: false }).state).toBe('not_applicable');
  });
});
