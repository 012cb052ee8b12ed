import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { StaticKnot } from './static-knot';

const run = promisify(execFile);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const VALID_DAYS = 3;
const ALGORITHM = 'ECDSAP256SHA256';

interface UnsignedZone {
  /** Without trailing dot; empty for the root. */
  readonly name: string;
  /** In presentation format, without the SOA. */
  readonly records: readonly string[];
}

interface Key {
  /** The base name of the files of ldns-keygen. */
  readonly base: string;
  readonly dnskey: string;
  readonly ds: string;
}

/** Zones signed by `ldns-signzone`, each with one key, and served by Knot: independent of our code. */
export class SignedZones {
  private serial = 0;

  private constructor(
    private readonly knot: StaticKnot,
    private readonly keys: ReadonlyMap<string, Key>,
  ) {}

  static async start(names: readonly string[], endpoint: Endpoint): Promise<SignedZones> {
    const knot = await StaticKnot.start(names, endpoint);
    const keys = await Promise.all(names.map(async (name) => [name, await createKey(knot.folder, name)] as const));
    return new SignedZones(knot, new Map(keys));
  }

  /** The DS record of a zone's key, for its parent. */
  ds(name: string): string {
    return this.keyOf(name).ds;
  }

  /** The DNSKEY record of a zone's key, for a resolver's trust anchor. */
  dnskey(name: string): string {
    return this.keyOf(name).dnskey;
  }

  /** Signs the zones at a time, for three days, and serves them when it settles. */
  async publish(zones: readonly UnsignedZone[], now: Date): Promise<void> {
    this.serial += 1;
    await Promise.all(zones.map((zone) => this.sign(zone, now)));
    await this.knot.reload(zones.map(({ name }) => name));
  }

  async stop(): Promise<void> {
    await this.knot.stop();
  }

  private async sign({ name, records }: UnsignedZone, now: Date): Promise<void> {
    const apex = `${name}.`;
    const file = this.knot.fileOf(name);
    const soa = `${apex} 3600 IN SOA ${apex} ${apex} ${this.serial} 3600 600 1209600 900`;
    writeFileSync(`${file}.unsigned`, `${[soa, ...records].join('\n')}\n`);
    const period = ['-i', stamp(now.getTime() - HOUR_MS), '-e', stamp(now.getTime() + VALID_DAYS * DAY_MS)];
    const key = join(this.knot.folder, this.keyOf(name).base);
    await run('ldns-signzone', [...period, '-o', apex, '-f', file, `${file}.unsigned`, key]);
  }

  private keyOf(name: string): Key {
    const key = this.keys.get(name);
    if (!key) throw new Error(`${name} is not among the signed zones`);
    return key;
  }
}

async function createKey(folder: string, name: string): Promise<Key> {
  const { stdout } = await run('ldns-keygen', ['-a', ALGORITHM, '-k', `${name}.`], { cwd: folder, encoding: 'utf8' });
  const base = stdout.trim();
  const read = (ending: string) => readFileSync(join(folder, `${base}.${ending}`), 'utf8').trim();
  return { base, dnskey: read('key'), ds: read('ds') };
}

/** The form of `ldns-signzone -i`: YYYYMMDDHHMMSS. */
function stamp(time: number): string {
  return new Date(time).toISOString().replace(/\D/g, '').slice(0, 14);
}
