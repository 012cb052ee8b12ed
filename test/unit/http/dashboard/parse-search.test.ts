import { parseSearch } from '../../../../src/http/dashboard/register/parse-search';

const SOLD = ['com', 'uk', 'co.uk'];
const parse = (text: string) => parseSearch(text, (suffix) => SOLD.includes(suffix));

describe('a search for a name', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['adanotes', ['adanotes'], undefined],
    ['Ada Notes', ['adanotes', 'ada-notes'], undefined],
    ["Ada's & Charles’ notes", ['adascharlesnotes', 'adas-charles-notes'], undefined],
    ['ada notes.com', ['adanotes', 'ada-notes'], 'com'],
    ['adanotes.com', ['adanotes'], 'com'],
    ['www.adanotes.com', ['adanotes'], 'com'],
    ['https://www.adanotes.com:8443/shop?q=1#top', ['adanotes'], 'com'],
    ['http://user@shop.adanotes.co.uk/', ['adanotes'], 'co.uk'],
    ['ada@adanotes.com', ['adanotes'], 'com'],
    ['adanotes.com.', ['adanotes'], 'com'],
    ['www.adanotes', ['www'], 'adanotes'],
    ['shop.unknown.example', ['shop'], 'unknown.example'],
    ['bücherwurm', ['xn--bcherwurm-q9a'], undefined],
  ])('finds, for “%s”, %j', (text, labels, suffix) => {
    expect(parse(text)).toEqual({ labels, suffix });
  });

  it.each(['', '   ', 'shop..com', 'shop.-', 'a!b', '.com', 'x'.repeat(64)])(
    'rejects “%s”, which has no valid label',
    (text) => {
      expect(() => parse(text)).toThrow('Request validation failed');
    },
  );

  it.each(['a.com, b.net', 'a.com b.net', 'ada;notes'])('rejects “%s”, which is several names', (text) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ details: expect.stringContaining('q must be one name: search one at a time') }),
    );
  });
});
