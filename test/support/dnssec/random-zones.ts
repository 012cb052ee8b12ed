import { createHash } from 'node:crypto';
import { ancestorsOf } from '../../../src/domain/dns/dnssec/canonical-names';
import { writeName } from '../../../src/domain/dns/records/types/rdata/wire-name';
import { wireRdata } from '../../../src/domain/dns/records/types/record-types';
import { RR_TYPE } from '../../../src/domain/dns/dnssec/rr-types';
import type { NamedRrset } from '../../../src/domain/dns/dnssec/signed-content';
import { ROOT } from '../../../src/domain/dns/records/record-name';
import { SeededRandom } from '../../crash/random';
import type { ModelZone } from './model-zone';

/** Uniform in [0, 1). */
export type Random = () => number;

const [A, TXT, AAAA] = [1, 16, 28];
/** Admin.Example.NET in wire format. */
const MIXED_NAME = '0541646d696e074578616d706c65034e455400';
const LABELS = ['a', 'b', 'c', 'a-b', 'www', 'mail', '_tcp', 'x0', 'zz', 'deep', 'n'];

/** RDATA by number (RFC 3597) with a name in mixed case, which is in lower case in canonical form: RP, AFSDB and KX, but not LP. */
const MIXED_CASE: readonly NamedRrset[] = (
  [
    ['TYPE17', `${MIXED_NAME}00`],
    ['TYPE18', `0001${MIXED_NAME}`],
    ['TYPE36', `000a${MIXED_NAME}`],
    ['TYPE107', `000a${MIXED_NAME}`],
  ] as const
).map(([type, hex]) => ({
  type: Number(type.slice(4)),
  ttl: 300,
  rdata: [wireRdata(type, `\\# ${hex.length / 2} ${hex}`)],
}));

export function randomFrom(seed: number): Random {
  const random = new SeededRandom(seed);
  return () => random.next();
}

/** The apex has NS and an address for its nameserver, so that every checker accepts the zone. */
export function fillApex(zone: ModelZone): void {
  zone.set(ROOT, { type: RR_TYPE.NS, ttl: 3600, rdata: [writeName(`ns1.${zone.zoneName}`)] });
  zone.set('ns1', address(1));
}

/**
 * Makes one change: sets or removes an RRset. Names have wildcards, empty non-terminals, delegations with and without DS, glue and DNAME.
 * Returns what signing has to know.
 */
export function changeAtRandom(zone: ModelZone, random: Random): { readonly name: string; readonly isCut: boolean } {
  const names = [...zone.rrsets.keys()].filter((name) => name !== ROOT && name !== 'ns1' && !isGlue(zone, name));
  if (names.length > 0 && random() < 0.35) {
    const name = pick(names, random);
    const type = pick([...(zone.rrsets.get(name)?.keys() ?? [])], random);
    zone.remove(name, type);
    if (type === RR_TYPE.NS) zone.remove(name, RR_TYPE.DS);
    return { name, isCut: type === RR_TYPE.NS || type === RR_TYPE.DNAME };
  }
  const name = randomName(names, random);
  const has = (type: number): boolean => zone.rrsets.get(name)?.has(type) ?? false;
  // RFC 6672, section 2.4.
  const isBelowDname = ancestorsOf(name).some((ancestor) => zone.rrsets.get(ancestor)?.has(RR_TYPE.DNAME));
  if (isBelowDname) return { name, isCut: false };
  const isWildcard = name.startsWith('*');
  const kind = random();
  if (kind < 0.15 && !isWildcard && !has(RR_TYPE.CNAME) && !has(RR_TYPE.DNAME)) {
    zone.set(name, {
      type: RR_TYPE.NS,
      ttl: 3600,
      rdata: [writeName(`ns.${name}.${zone.zoneName}`), writeName('ns.example.net')],
    });
    if (!zone.rrsets.has(`ns.${name}`)) zone.set(`ns.${name}`, address(2));
    if (random() < 0.5) zone.set(name, dsRecord(random));
    return { name, isCut: true };
  }
  const hasBelow = [...zone.rrsets.keys()].some((each) => each.endsWith(`.${name}`));
  if (kind < 0.2 && !isWildcard && !hasBelow && !has(RR_TYPE.NS) && !has(RR_TYPE.CNAME)) {
    zone.set(name, { type: RR_TYPE.DNAME, ttl: 300, rdata: [writeName('target.example.net')] });
    return { name, isCut: true };
  }
  if (kind < 0.3 && !zone.rrsets.has(name)) {
    zone.set(name, { type: RR_TYPE.CNAME, ttl: 300, rdata: [writeName('www.example.net')] });
    return { name, isCut: false };
  }
  if (!has(RR_TYPE.CNAME)) {
    const text = Buffer.from(`text ${random()}`);
    const several = [1, 2, 3].slice(0, 1 + Math.floor(random() * 3)).map((last) => Buffer.from([192, 0, 2, last]));
    const rrsets: readonly NamedRrset[] = [
      { type: A, ttl: pick([60, 300, 3600], random), rdata: several },
      { type: AAAA, ttl: 300, rdata: [Buffer.from('20010db8000000000000000000000001', 'hex')] },
      { type: TXT, ttl: 300, rdata: [Buffer.concat([Buffer.from([text.length]), text])] },
      // Of a type in the second window of a bitmap: CAA.
      { type: 257, ttl: 300, rdata: [Buffer.concat([Buffer.from([0, 5]), Buffer.from('issueca.example.net')])] },
      ...MIXED_CASE,
    ];
    zone.set(name, pick(rrsets, random));
  }
  return { name, isCut: false };
}

function isGlue(zone: ModelZone, name: string): boolean {
  return name.startsWith('ns.') && (zone.rrsets.get(name.slice('ns.'.length))?.has(RR_TYPE.NS) ?? false);
}

function randomName(names: readonly string[], random: Random): string {
  if (names.length > 0 && random() < 0.3) return pick(names, random);
  const depth = 1 + Math.floor(random() * 4);
  const labels = Array.from({ length: depth }, () =>
    random() < 0.3 ? `h${Math.floor(random() * 200)}` : pick(LABELS, random),
  );
  if (random() < 0.15) labels.unshift('*');
  return labels.join('.');
}

function dsRecord(random: Random): NamedRrset {
  const digest = createHash('sha256').update(String(random())).digest();
  return { type: RR_TYPE.DS, ttl: 3600, rdata: [Buffer.concat([Buffer.from([1, 2, 13, 2]), digest])] };
}

function address(last: number): NamedRrset {
  return { type: A, ttl: 300, rdata: [Buffer.from([192, 0, 2, last])] };
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)] as T;
}
