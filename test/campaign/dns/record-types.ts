import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readZoneFile } from '../../../src/application/dns/zones/zone-files/zone-file-records';
import { DnsRecord } from '../../../src/domain/dns/records/dns-record';
import { RdataReader } from '../../../src/domain/dns/records/types/rdata/rdata-reader';
import { ALL_TYPES, typeDefinition, wireRdata } from '../../../src/domain/dns/records/types/record-types';
import { zoneFileLines } from '../../../src/domain/dns/zone-file/write-zone-file';
import { SeededRandom } from '../../crash/random';
import { runToCompletion } from '../../support/run-to-completion';
import type { Campaign, CampaignResult } from '../campaign';
import { GENERATORS, type DataDraft } from './record-type-values';

/** Compares the text and the octets of generated records of every type with dnspython and ldns, and exports and imports them. */
export const recordTypesCampaign: Campaign = {
  name: 'record-types',
  unit: 'records of each type',
  ciSize: 250,
  fullSize: 10_000,
  run,
};

const ZONE = 'example.com';
const MAX_FAILURES = 20;
const MAX_OUTPUT = 1024 ** 3;
/** dnspython writes names where this type has numbers. */
const OTHER_WORDS: ReadonlySet<string> = new Set(['CERT']);
/** No released dnspython knows it (RFC 9859). */
const NOT_IN_DNSPYTHON: ReadonlySet<string> = new Set(['DSYNC']);
const DNSPYTHON = `
import sys, dns.rdata
for line in sys.stdin:
    kind, text = line.rstrip('\\n').split('\\t', 1)
    try:
        wire = dns.rdata.from_text('IN', kind, text).to_wire()
        data = dns.rdata.from_wire('IN', kind, wire, 0, len(wire))
        try:
            canonical = data.to_text(chunksize=0)
        except TypeError:
            canonical = data.to_text()
        print(wire.hex() + '\\t' + canonical)
    except Exception as error:
        print('\\t' + type(error).__name__ + ': ' + str(error).replace('\\n', ' '))
`;

interface Generated {
  readonly written: DataDraft;
  readonly record: DnsRecord;
}

async function run(size: number, seed: number): Promise<CampaignResult> {
  const random = new SeededRandom(seed);
  const failures: string[] = [];
  const generated: Generated[] = [];
  for (const [type, generate] of Object.entries(GENERATORS))
    for (let index = 0; index < size; index += 1) {
      const written = generate(random);
      const name = type === 'SRV' ? `_a._b${generated.length}` : `r${generated.length}`;
      try {
        const draft = { ...written, type, name };
        const record = DnsRecord.create(draft, ZONE, `rec_${generated.length}`, new Date(0), ALL_TYPES);
        generated.push({ written, record });
      } catch (error) {
        failures.push(`${type} ${JSON.stringify(written)}: ${String(error)}`);
      }
    }
  failures.push(...compareWithDnspython(generated), ...compareWithLdns(generated), ...compareWithItself(generated));
  const types = Object.keys(GENERATORS).length;
  const summary = `${generated.length} records of ${types} types: text and octets as dnspython and ldns have them, and unchanged by export and import`;
  return { summary, failures: failures.slice(0, MAX_FAILURES) };
}

/** Both texts must give our octets, and dnspython's canonical text must be ours. */
function compareWithDnspython(all: readonly Generated[]): readonly string[] {
  const generated = all.filter(({ record }) => !NOT_IN_DNSPYTHON.has(record.type));
  const lines = generated.flatMap(({ written, record }) => [
    `${record.type}\t${writtenText(written)}`,
    `${record.type}\t${record.rdata()}`,
  ]);
  const output = runTool('/usr/bin/python3', ['-c', DNSPYTHON], `${lines.join('\n')}\n`).split('\n');
  return generated.flatMap(({ record }, index) => {
    const wire = record.wireRdata().toString('hex');
    const [fromWritten = '', fromCanonical = ''] = [output[2 * index], output[2 * index + 1]];
    const [writtenWire, text = ''] = fromWritten.split('\t');
    const [canonicalWire] = fromCanonical.split('\t');
    if (writtenWire === wire && canonicalWire === wire && isSameText(record, text)) return [];
    return [`${record.type} ${record.rdata()} ${wire}: dnspython has ${fromWritten} and ${fromCanonical}`];
  });
}

function isSameText(record: DnsRecord, text: string): boolean {
  if (!OTHER_WORDS.has(record.type)) return text.trim() === record.rdata();
  return wireRdata(record.type, text).equals(record.wireRdata());
}

/** ldns reads the exported zone file and writes every record as octets. */
function compareWithLdns(generated: readonly Generated[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-types-'));
  const file = join(folder, 'zone');
  writeFileSync(file, zoneFileOf(generated));
  const output = runTool('ldns-read-zone', ['-U', 'SOA', file]);
  rmSync(folder, { recursive: true });
  const octets = new Map(
    output.split('\n').flatMap((line) => {
      const [owner = '', , , , , , hex = ''] = line.split(/\s+/);
      return owner === `${ZONE}.` || owner === '' ? [] : [[owner, hex] as const];
    }),
  );
  return generated.flatMap(({ record }) => {
    const hex = octets.get(`${record.name}.${ZONE}.`);
    const wire = record.wireRdata().toString('hex');
    return hex === wire ? [] : [`${record.type} ${record.rdata()} ${wire}: ldns has ${hex}`];
  });
}

/** The octets give the record back, and so does the exported zone file. */
function compareWithItself(generated: readonly Generated[]): readonly string[] {
  const reading = runToCompletion(readZoneFile(zoneFileOf(generated), ZONE, generated.length, ALL_TYPES));
  const read = new Map(reading.records.map(({ draft }) => [draft.name, draft]));
  const changed = generated.flatMap(({ record }) => {
    const { id, type, name, ttl } = record.toState();
    const create = (data: DataDraft): DnsRecord =>
      DnsRecord.create({ ...data, type, name, ttl }, ZONE, id, new Date(0), ALL_TYPES);
    const imported = read.get(`${name}.${ZONE}.`);
    const decoded = typeDefinition(type).decode(new RdataReader(record.wireRdata()));
    const isSame = imported && create(imported).hasSameValues(record) && create(decoded).hasSameValues(record);
    return isSame ? [] : [`${type} ${record.rdata()} changes when it is exported and imported, or decoded`];
  });
  return [...reading.errors.map(({ line, message }) => `line ${line}: ${message}`), ...changed];
}

function zoneFileOf(generated: readonly Generated[]): string {
  const authority = { primaryName: 'ns1.example.net', contact: 'hostmaster.example.com', serial: 7 };
  const timers = { refresh: 3600, retry: 600, expire: 1_209_600, negative: 300 };
  const records = generated.map(({ record }) => record.toState());
  return [...zoneFileLines({ zoneName: ZONE, authority: { ...authority, ...timers }, nameservers: [], records })].join(
    '',
  );
}

function writtenText({ content, priority, weight, port }: DataDraft): string {
  return [priority, weight, port, content].filter((part) => part !== undefined && part !== null).join(' ');
}

function runTool(command: string, args: readonly string[], input = ''): string {
  const { stdout, stderr, status, error } = spawnSync(command, args, {
    input,
    encoding: 'latin1',
    maxBuffer: MAX_OUTPUT,
  });
  if (error || status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr.slice(0, 500)}`);
  return stdout;
}
