import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RR_TYPE } from '../../../src/domain/dns/dnssec/rr-types';
import { aSigningKey, ModelZone, type ModelKey } from '../../support/dnssec/model-zone';
import { changeAtRandom, fillApex, randomFrom, type Random } from '../../support/dnssec/random-zones';
import type { Campaign, CampaignResult } from '../campaign';

/** Signs random zones, changes them step by step, and has three other implementations verify each result, and mutations of some. */
export const signedZonesCampaign: Campaign = {
  name: 'signed-zones',
  unit: 'zones',
  ciSize: 100,
  fullSize: 100_000,
  run,
};

const BATCH = 50;
const WORKERS = 2;
const MAX_FAILURES = 20;
/** One in so many zones is also checked after each of some mutations. */
const MUTATED_EVERY = 25;
const ZONE = 'example.com';

/** Each prints `NAME of a bad zone`. */
const CHECKERS: Readonly<Record<string, string>> = {
  'ldns-verify-zone': 'ldns-verify-zone "$f" >/dev/null 2>&1 || echo "$f"',
  'dnssec-verify': `dnssec-verify -q -z -o ${ZONE} "$f" >/dev/null 2>&1 || echo "$f"`,
  // A random delegation may lack glue, which has nothing to do with its signatures.
  kzonecheck: `out=$(kzonecheck -d on -o ${ZONE} "$f" 2>&1) || { echo "$out" | grep -v '^$' | grep -v '^Error summary:' | grep -qv 'missing glue record$' && echo "$f"; }`,
};

interface ZoneFile {
  readonly file: string;
  readonly text: string;
  /** What all checkers have to object to; undefined if the zone is right. */
  readonly mutation?: string;
  /** kzonecheck 3.2.6 rejects every zone with two CSKs, also those that dnssec-signzone signed. */
  readonly hasTwoKeys: boolean;
}

async function run(size: number, seed: number): Promise<CampaignResult> {
  const folder = mkdtempSync(join(tmpdir(), 'signed-zones-'));
  const failures: string[] = [];
  const counts = { zones: 0, mutations: 0, rrsets: 0 };
  let next = 0;
  const work = async (worker: number): Promise<void> => {
    while (next < size && failures.length < MAX_FAILURES) {
      const numbers = Array.from({ length: Math.min(BATCH, size - next) }, (_, index) => next + index);
      next += numbers.length;
      const files: ZoneFile[] = [];
      for (const number of numbers)
        files.push(...(await zoneFiles(seed + number, number % MUTATED_EVERY === 0, counts)));
      failures.push(...(await objections(join(folder, String(worker)), files)));
    }
  };
  try {
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  } finally {
    if (failures.length === 0) rmSync(folder, { recursive: true });
  }
  const summary = `${counts.zones} zones, ${counts.rrsets} RRsets, ${counts.mutations} mutations, ${failures.length} objections or missed mutations`;
  return { summary, failures: failures.slice(0, MAX_FAILURES) };
}

async function zoneFiles(
  seed: number,
  isMutated: boolean,
  counts: { zones: number; mutations: number; rrsets: number },
) {
  const random = randomFrom(seed);
  const zone = await randomZone(random);
  counts.zones += 1;
  counts.rrsets += [...zone.rrsets.values()].reduce((sum, types) => sum + types.size, 0);
  const text = zone.zoneFile();
  const files: ZoneFile[] = [{ file: `${seed}.zone`, text, hasTwoKeys: zone.keys.length > 1 }];
  // With two signatures for each RRset, one of them may be wrong.
  if (!isMutated || zone.keys.length > 1) return files;
  for (const mutation of mutationsOf(text, zone.denial === 'nsec' ? RR_TYPE.NSEC : RR_TYPE.NSEC3, random)) {
    counts.mutations += 1;
    files.push({ file: `${seed}-${counts.mutations}.zone`, hasTwoKeys: false, ...mutation });
  }
  return files;
}

/** One to 300 RRsets, half of the zones below five: checkers need their time for each signature. After incremental changes. */
async function randomZone(random: Random): Promise<ModelZone> {
  const keys: ModelKey[] = [aSigningKey()];
  if (random() < 0.1) keys.push(aSigningKey('zk_2'));
  const zone = new ModelZone(ZONE, random() < 0.5 ? 'nsec' : 'nsec3', keys, new Date());
  fillApex(zone);
  const most = Math.floor(300 ** (random() ** 2));
  for (let count = 0; count < most; count += 1) changeAtRandom(zone, random);
  await zone.sign('all');
  for (let steps = Math.floor(random() * 8); steps > 0; steps -= 1) {
    zone.serial += 1;
    const changes = Array.from({ length: 1 + Math.floor(random() * 3) }, () => changeAtRandom(zone, random));
    await zone.sign({
      names: new Set(changes.flatMap(({ name }) => [name, `ns.${name}`])),
      cuts: new Set(changes.filter(({ isCut }) => isCut).map(({ name }) => name)),
    });
  }
  return zone;
}

/** The zone with one octet changed in an RRSIG, and in an NSEC or NSEC3 record. */
function mutationsOf(text: string, chainType: number, random: Random): readonly Pick<ZoneFile, 'text' | 'mutation'>[] {
  const lines = text.trimEnd().split('\n');
  return [RR_TYPE.RRSIG, chainType].map((type) => {
    const candidates = lines.flatMap((line, index) => (line.includes(` TYPE${type} `) ? [index] : []));
    const index = candidates[Math.floor(random() * candidates.length)] ?? 0;
    const words = (lines[index] ?? '').split(' ');
    const data = Buffer.from(words.at(-1) ?? '', 'hex');
    // Within the signature, or within the next name or hash: the record can still be read.
    const at = type === RR_TYPE.RRSIG ? data.length - 1 - Math.floor(random() * 64) : type === RR_TYPE.NSEC3 ? 10 : 1;
    data.writeUInt8(data.readUInt8(at) ^ 1, at);
    const mutated = [...words.slice(0, -1), data.toString('hex')].join(' ');
    return {
      text: `${lines.with(index, mutated).join('\n')}\n`,
      mutation: `octet ${at} of the data of ${words[0]} TYPE${type}`,
    };
  });
}

async function objections(folder: string, files: readonly ZoneFile[]): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { file, text } of files) writeFileSync(join(folder, file), text);
  const failures: string[] = [];
  for (const [checker, command] of Object.entries(CHECKERS)) {
    const script = `for f in *.zone; do ${command}; done; true`;
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script], {
      cwd: folder,
      env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    });
    const bad = new Set(stdout.split('\n'));
    for (const { file, mutation, hasTwoKeys } of files) {
      if (hasTwoKeys && checker === 'kzonecheck') continue;
      if (mutation === undefined && bad.has(file)) failures.push(`${checker} objects to ${join(folder, file)}`);
      if (mutation !== undefined && !bad.has(file))
        failures.push(`${checker} accepts ${join(folder, file)}: ${mutation}`);
    }
  }
  return failures;
}
