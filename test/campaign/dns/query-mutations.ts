import type { SeededRandom } from '../../crash/random';

const NAMES = [
  'domain',
  'host',
  'redirect_uri',
  'state',
  'groupId',
  'providerName',
  'sig',
  'key',
  'ip',
  '%64omain',
  's%69g',
  '',
] as const;
const VALUES = [
  '',
  'evil.example',
  'k1',
  'k2',
  'k3',
  'k1.',
  'K1',
  '*',
  '%',
  '%00',
  '%2526',
  'a%0Ab',
  '192.0.2.99',
  'AAAA',
  '+',
] as const;
const OCTETS = [
  '&',
  '=',
  '%',
  '+',
  '#',
  ';',
  '?',
  'a',
  'A',
  '0',
  ' ',
  '\u0000',
  'ü',
  '%26',
  '%3D',
  '%2B',
  '%20',
] as const;

export type Links = readonly [string, ...string[]];
type Mutation = (link: string, random: SeededRandom, links: Links) => string;

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  replaceOctet,
  (link, random) => splice(link, at(link, random), 0, random.oneOf(OCTETS)),
  (link, random) => splice(link, at(link, random), random.between(1, 3), ''),
  changeValue,
  (link, random) =>
    inPairs(link, (pairs) =>
      pairs.toSpliced(random.between(0, pairs.length), 0, `${random.oneOf(NAMES)}=${random.oneOf(VALUES)}`),
    ),
  (link, random) => inPairs(link, (pairs) => pairs.toSpliced(random.between(0, pairs.length - 1), 1)),
  repeatPair,
  swapPairs,
  (link, random) => recode(link, random),
  flipSignature,
  (link, random, links) =>
    inPairs(link, (pairs) => [...pairs.filter((each) => !isSig(each)), ...pairsOf(random.oneOf(links)).filter(isSig)]),
];

/** One to three random changes of the query of a link. @param links others, whose parts it can get */
export function mutate(link: string, random: SeededRandom, links: Links): string {
  const steps = Array.from({ length: random.between(1, 3) }, () => random.oneOf(MUTATIONS));
  return steps.reduce((changed, step) => (changed === '' ? changed : step(changed, random, links)), link);
}

function replaceOctet(link: string, random: SeededRandom): string {
  return splice(link, at(link, random), 1, random.oneOf(OCTETS));
}

function changeValue(link: string, random: SeededRandom): string {
  return inPairs(link, (pairs) => {
    const index = random.between(0, pairs.length - 1);
    const [name = ''] = (pairs[index] ?? '').split('=');
    return pairs.with(index, `${name}=${random.oneOf(VALUES)}`);
  });
}

function repeatPair(link: string, random: SeededRandom): string {
  return inPairs(link, (pairs) =>
    pairs.toSpliced(random.between(0, pairs.length), 0, pairs[random.between(0, pairs.length - 1)] ?? ''),
  );
}

function swapPairs(link: string, random: SeededRandom): string {
  return inPairs(link, (pairs) => {
    const [one, other] = [random.between(0, pairs.length - 1), random.between(0, pairs.length - 1)];
    return pairs.with(one, pairs[other] ?? '').with(other, pairs[one] ?? '');
  });
}

/** Writes one character in another way that many readers understand as the same. */
function recode(link: string, random: SeededRandom): string {
  const index = at(link, random);
  const escape = /^%[0-9A-Fa-f]{2}/.exec(link.slice(index))?.[0];
  if (escape !== undefined)
    return splice(link, index, 3, random.oneOf([escape.toLowerCase(), escape.toUpperCase(), decodeAscii(escape)]));
  const octet = link.charCodeAt(index);
  return octet > 127 ? link : splice(link, index, 1, `%${octet.toString(16).padStart(2, '0')}`);
}

function decodeAscii(escape: string): string {
  const octet = Number.parseInt(escape.slice(1), 16);
  return octet > 127 ? escape : String.fromCharCode(octet);
}

/** Another bit, a shorter or a longer signature, or other padding. */
function flipSignature(link: string, random: SeededRandom): string {
  return inPairs(link, (pairs) =>
    pairs.map((pair) => {
      if (!pair.startsWith('sig=')) return pair;
      const octets = Buffer.from(pair.slice(4).replaceAll(/%[0-7][0-9A-Fa-f]/g, decodeAscii), 'base64');
      if (octets.length === 0) return pair;
      const index = random.between(0, octets.length - 1);
      octets[index] = (octets[index] ?? 0) ^ (1 << random.between(0, 7));
      const changed = random.oneOf([
        octets,
        octets.subarray(1),
        octets.subarray(0, -1),
        Buffer.concat([Buffer.alloc(1), octets]),
      ]);
      return `sig=${encodeURIComponent(changed.toString(random.oneOf(['base64', 'base64url'])))}`;
    }),
  );
}

function isSig(pair: string): boolean {
  return pair.startsWith('sig=');
}

function pairsOf(link: string): string[] {
  return link.split('&');
}

function inPairs(link: string, change: (pairs: string[]) => readonly string[]): string {
  return change(pairsOf(link)).join('&');
}

function at(link: string, random: SeededRandom): number {
  return random.between(0, link.length - 1);
}

function splice(text: string, index: number, removed: number, added: string): string {
  return text.slice(0, index) + added + text.slice(index + removed);
}
