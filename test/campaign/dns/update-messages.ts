import { isIPv4 } from 'node:net';
import type { SeededRandom } from '../../crash/random';
import type { ModelChange, ModelPrerequisite, ModelUpdate } from './update-model';

const TYPES: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  RP: 17,
  AAAA: 28,
  DHCID: 49,
  ANY: 255,
};
const [IN, NONE, ANY] = [1, 254, 255];
const UPDATE = 5 << 11;

const NAMES = ['@', 'a', 'b', 'c', 'x.a', '*', '*.w', '_acme-challenge'] as const;
/** Few values, so that changes and prerequisites often meet existing records. */
const DATA: Readonly<Record<string, readonly [string, ...string[]]>> = {
  A: ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  AAAA: ['2001:db8::1', '2001:db8::2'],
  TXT: ['one', 'two', 'three', 'four'],
  CNAME: ['one.example.net', 'two.example.net'],
  MX: ['10 mail.example.net', '20 mail.example.net'],
  NS: ['ns1.example.net', 'ns2.example.net', 'ns1.namewright.example'],
  DHCID: ['AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=', 'AAEBOSDD'],
};
const ADDED = ['A', 'A', 'AAAA', 'TXT', 'TXT', 'CNAME', 'MX', 'NS', 'DHCID', 'SOA'] as const;
const TTLS = [30, 60, 300, 3_600, 2_000_000] as const;

/** Random prerequisites and changes of one zone. */
export function randomUpdate(random: SeededRandom): ModelUpdate {
  const prerequisites = Array.from({ length: Math.max(0, random.between(-4, 2)) }, () => randomPrerequisite(random));
  const changes = Array.from({ length: random.between(1, 4) }, () => randomChange(random));
  return { prerequisites, changes };
}

function randomPrerequisite(random: SeededRandom): ModelPrerequisite {
  const kind = random.oneOf(['in use', 'not in use', 'set exists', 'set absent', 'set equals'] as const);
  const { name, type, data } = randomRecord(random);
  if (kind === 'set equals' && type !== 'SOA') return { kind, name, type, data };
  return kind === 'set equals' || kind === 'set exists' || kind === 'set absent'
    ? { kind: kind === 'set equals' ? 'set exists' : kind, name, type, data: '' }
    : { kind, name, type: '', data: '' };
}

function randomChange(random: SeededRandom): ModelChange {
  const { name, type, data } = randomRecord(random);
  const kind = random.oneOf(['add', 'add', 'add', 'delete record', 'delete set', 'delete name'] as const);
  if (kind === 'delete name') return { kind, name, type: '', data: '', ttl: 0 };
  if (kind === 'delete set') return { kind, name, type, data: '', ttl: 0 };
  if (kind === 'add' && random.next() < 0.01) return { kind, name, type: 'RP', data: '', ttl: 300 };
  return { kind, name, type, data, ttl: kind === 'add' ? random.oneOf(TTLS) : 0 };
}

function randomRecord(random: SeededRandom): { readonly name: string; readonly type: string; readonly data: string } {
  const name = random.oneOf(NAMES);
  const drawn = random.oneOf(ADDED);
  // An NS record at a wildcard is against a rule of the interface.
  const type = drawn === 'NS' && name.startsWith('*') ? 'A' : drawn;
  return { name, type, data: type === 'SOA' ? '' : random.oneOf(DATA[type] ?? ['']) };
}

/** The message without a signature. */
export function encodeUpdate(id: number, zone: string, { prerequisites, changes }: ModelUpdate): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(UPDATE, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(prerequisites.length, 6);
  header.writeUInt16BE(changes.length, 8);
  return Buffer.concat([
    header,
    encodeName(zone),
    Buffer.from([0, TYPES['SOA'] ?? 0, 0, IN]),
    ...prerequisites.map((each) => encodePrerequisite(each, zone)),
    ...changes.map((each) => encodeChange(each, zone)),
  ]);
}

function encodePrerequisite({ kind, name, type, data }: ModelPrerequisite, zone: string): Buffer {
  if (kind === 'set equals') return encodeRecord(ownerOf(name, zone), type, IN, 0, encodeData(type, data));
  const isPresence = kind === 'in use' || kind === 'set exists';
  return encodeRecord(ownerOf(name, zone), type === '' ? 'ANY' : type, isPresence ? ANY : NONE, 0);
}

function encodeChange({ kind, name, type, data, ttl }: ModelChange, zone: string): Buffer {
  const owner = ownerOf(name, zone);
  if (kind === 'delete name') return encodeRecord(owner, 'ANY', ANY, 0);
  if (kind === 'delete set') return encodeRecord(owner, type, ANY, 0);
  return encodeRecord(owner, type, kind === 'add' ? IN : NONE, ttl, encodeData(type, data));
}

function ownerOf(name: string, zone: string): string {
  return name === '@' ? zone : `${name}.${zone}`;
}

function encodeRecord(
  owner: string,
  type: string,
  recordClass: number,
  ttl: number,
  data: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(TYPES[type] ?? 0, 0);
  head.writeUInt16BE(recordClass, 2);
  head.writeUInt32BE(ttl, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(owner), head, data]);
}

function encodeData(type: string, data: string): Buffer {
  if (type === 'SOA') return Buffer.concat([encodeName('m'), encodeName('r'), Buffer.alloc(20, 1)]);
  if (type === 'RP') return Buffer.alloc(2);
  if (type === 'DHCID') return Buffer.from(data, 'base64');
  if (type === 'TXT') return Buffer.concat([Buffer.from([data.length]), Buffer.from(data)]);
  if (isIPv4(data)) return Buffer.from(data.split('.').map(Number));
  if (type === 'AAAA')
    return Buffer.concat([Buffer.from('20010db8', 'hex'), Buffer.alloc(11), Buffer.from([Number(data.at(-1))])]);
  if (type !== 'MX') return encodeName(data);
  const [preference, host = ''] = data.split(' ');
  return Buffer.concat([Buffer.from([0, Number(preference)]), encodeName(host)]);
}

function encodeName(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.alloc(1),
  ]);
}
