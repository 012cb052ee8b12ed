import { aRecord } from '../../../support/data/a-record';
import { thrownBy } from '../../../support/thrown-by';

const NUMBERS = { CNAME: {}, NS: {}, MX: { priority: 10 }, SRV: { priority: 10, port: 5060 } } as const;
type TargetType = keyof typeof NUMBERS;
const ALL = Object.keys(NUMBERS) as TargetType[];
const HOSTS: TargetType[] = ['NS', 'MX', 'SRV'];

function targetOf(type: TargetType, content: string): string {
  return aRecord({ type, name: '_sip._tcp', content, ...NUMBERS[type] }).toState().content;
}

describe.each(ALL)('the target of %s', (type) => {
  it.each([
    ['Mail.Example.ORG.', 'mail.example.org'],
    ['mail.example.org', 'mail.example.org'],
    ['@', 'example.com'],
    ['bücher.example.', 'xn--bcher-kva.example'],
    ['1.2.3.4.in-addr.arpa', '1.2.3.4.in-addr.arpa'],
  ])('%s is kept as %s', (content, expected) => {
    expect(targetOf(type, content)).toBe(expected);
  });

  it('keeps the dot of a single label, without which it would not be accepted', () => {
    const target = targetOf(type, 'Localhost.');

    expect(target).toBe('localhost.');
    expect(targetOf(type, target)).toBe(target);
  });

  it.each([
    ['an empty name', ''],
    ['a single label without dot', 'mail'],
    ['an empty label', 'a..example.org'],
    ['only dots', '../..'],
    ['an IPv4 address', '192.0.2.1'],
    ['an IPv4 address with a dot', '192.0.2.1.'],
    ['an IPv6 address', '2001:db8::1'],
    ['a blank', 'mail.example.org x'],
    ['a URL', 'https://example.org/'],
    ['a label of 64 octets', `${'a'.repeat(64)}.org`],
    ['254 octets', `${'abcdefg.'.repeat(31)}abcdef`],
    ['a star within', 'a.*.org'],
    ['an at sign', 'a@b.org'],
  ])('is not %s', (_what, content) => {
    expect(thrownBy(() => targetOf(type, content))?.code).toBe('INVALID_RECORD_CONTENT');
  });

  it('has up to 253 octets', () => {
    const longest = `${'abcdefg.'.repeat(31)}abcde`;

    expect(targetOf(type, longest)).toBe(longest);
  });
});

describe.each(HOSTS)('the host of %s', (type) => {
  it.each(['_a.example.org', '*.example.org', '-a.example.org', 'a-.example.org'])('is not %s', (content) => {
    expect(thrownBy(() => targetOf(type, content))?.code).toBe('INVALID_RECORD_CONTENT');
  });
});

describe('the name that a CNAME points to', () => {
  it.each(['_a.example.org', '*.example.org', 'a_.example.org', '-a-.example.org'])('may be %s', (content) => {
    expect(targetOf('CNAME', content)).toBe(content);
  });

  it.each(['_sip._tcp.example.com', '_SIP._tcp.example.com.'])('is not its own: %s', (content) => {
    expect(thrownBy(() => targetOf('CNAME', content))?.code).toBe('INVALID_RECORD_CONTENT');
  });
});

describe('the root as a target', () => {
  it('is a null MX with priority 0', () => {
    const nullMx = aRecord({ type: 'MX', content: '.', priority: 0 });

    expect(nullMx.rdata()).toBe('0 .');
    expect(nullMx.isNullMx()).toBe(true);
  });

  it('is refused for MX with another priority', () => {
    expect(thrownBy(() => targetOf('MX', '.'))?.code).toBe('INVALID_RECORD_CONTENT');
  });

  it('means that the service is not available', () => {
    expect(targetOf('SRV', '.')).toBe('.');
  });

  it.each(['CNAME', 'NS'] as const)('is refused for %s', (type) => {
    expect(thrownBy(() => targetOf(type, '.'))?.code).toBe('INVALID_RECORD_CONTENT');
  });
});
