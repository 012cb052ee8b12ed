import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { randomFrom, type Random } from '../../support/dnssec/random-zones';
import { createCliAdmin } from '../../support/nameservers/primary';
import { StubNameserver } from '../../support/nameservers/stub-nameserver';
import { build } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';
import { DnsService, REGISTRANT } from './dns-service';

/** Zones are hosted, registered, signed, and transferred out with keep_zone, while the service is killed at random. */
export const zoneLivesCampaign: Campaign = { name: 'zone-lives', unit: 'zones', ciSize: 4, fullSize: 200, run };

const AT_ONCE = 4;
const RECORDS = 5;
/** Of the first process: work that it had leased waits for its successor. */
const LONGEST_LIFE_MS = 5_000;
/** Each later one may live longer, because on a busy machine a start and a step may take longer than a life. */
const LONGER_MS = 1_000;
const FAR_SERIAL = 1_000_000;
/** A transfer shows once the registry's messages are read, which the sandbox's clock hurries. */
const HOUR_IN_DAYS = 1 / 24;

/** Between a kill and the next start. */
const IS_DOWN = /connection refused|connection reset|fetch failed/;

type Reply = Readonly<Record<string, unknown>>;

async function run(size: number, seed: number): Promise<CampaignResult> {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-zone-lives-'));
  const stub = await StubNameserver.start();
  const service = await DnsService.start(folder, [{ scope: 'READ' }]);
  const admin = createCliAdmin(service.settings);
  await admin('tsig', 'create', 'ns1');
  await admin('secondary', 'add', 'ns1', `127.0.0.1:${stub.port}`, '--key', 'ns1');
  const lives = Array.from({ length: size }, (_, index) => new Life(service, folder, `zone-life-${index}.com`));
  for (const { name } of lives) stub.serials.set(name, FAR_SERIAL);
  const kills = { count: 0, areWanted: true };
  try {
    const waiting = [...lives];
    const live = async (): Promise<void> => {
      for (let life = waiting.shift(); life; life = waiting.shift()) await life.live();
    };
    const killing = killAtRandom(service, kills, randomFrom(seed));
    await Promise.all(Array.from({ length: AT_ONCE }, live)).finally(() => (kills.areWanted = false));
    await killing;
    for (const life of lives) await life.check();
  } finally {
    kills.areWanted = false;
    await service.kill();
    stub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const transfers = lives.reduce((sum, life) => sum + life.verified, 0);
  return {
    summary: `${size} zones, ${kills.count} kills, ${transfers} signed zones verified`,
    failures: lives.flatMap(({ failures }) => failures),
  };
}

async function killAtRandom(
  service: DnsService,
  kills: { count: number; readonly areWanted: boolean },
  random: Random,
): Promise<void> {
  while (kills.areWanted) {
    await sleep(200 + random() * (LONGEST_LIFE_MS + kills.count * LONGER_MS));
    await service.kill();
    kills.count += 1;
    await service.restart();
  }
}

/** One zone, from hosted to hosted again. */
class Life {
  readonly failures: string[] = [];
  verified = 0;
  private zoneId = '';
  private keyIds: unknown;
  private recordIds: readonly string[] = [];
  private serial = 0;
  private changes = 0;

  constructor(
    private readonly service: DnsService,
    private readonly folder: string,
    readonly name: string,
  ) {}

  async live(): Promise<void> {
    this.zoneId = String((await this.change('POST', '/api/zones', { name: this.name }))['id']);
    const zone = `/api/zones/${this.zoneId}`;
    const domain = `/api/domains/${this.zoneId.replace('zone_', 'dom_')}`;
    for (let index = 0; index < RECORDS; index += 1)
      await this.change('POST', `${zone}/dns/records`, { type: 'A', name: `www${index}`, content: `192.0.2.${index}` });
    this.recordIds = await this.readRecords();
    await this.transfer('hosted');

    await this.change('POST', '/api/domains', { name: this.name, contacts: { registrant: REGISTRANT } });
    await this.transfer('pending');
    await this.until(domain, ({ status }) => status === 'active');
    await this.change('PUT', `${domain}/dnssec`, { enabled: true });
    await this.until(`${domain}/dnssec`, ({ keys }) => Array.isArray(keys) && keys.length === 1);
    this.keyIds = await this.readKeys();
    await this.verify('registered');

    const { auth_code: code } = await this.change('POST', `${domain}/auth-code`);
    await this.change('PUT', `${domain}/transfer-lock`, { transfer_locked: false });
    await this.change('POST', '/api/sandbox/transfer-out', { name: this.name, auth_code: code }).catch(
      ignoreRepetition,
    );
    await this.change('POST', '/api/sandbox/advance', { days: HOUR_IN_DAYS });
    await this.until(domain, (shown) => shown['transfer_out'] !== null);
    await this.verify('leaving');
    await this.change('POST', `${domain}/transfer-out/approve`, { keep_zone: true });
    await this.until(zone, ({ kind }) => kind === 'hosted');
    await this.verify('hosted again');
  }

  /** One history, with the records and the key of the beginning. */
  async check(): Promise<void> {
    const zone = await this.read(`/api/zones/${this.zoneId}`);
    const versions = (await this.read(`/api/zones/${this.zoneId}/dns/history?limit=100`)) as unknown as Reply[];
    const numbers = versions.map(({ version }) => Number(version));
    const expected = Array.from({ length: numbers.length }, (_, index) => numbers.length - index);
    if (zone['kind'] !== 'hosted' || zone['status'] !== 'active') this.fail(`is ${JSON.stringify(zone)}`);
    if (numbers.join() !== expected.join()) this.fail(`has the versions ${numbers.join()}`);
    if ((await this.readRecords()).join() !== this.recordIds.join()) this.fail('has other records than before');
    await this.verify('at the end');
  }

  /** Transfers the zone, which is served in each part of its life. Returns the file. */
  private async transfer(when: string): Promise<string> {
    const file = join(this.folder, `${this.name}.zone`);
    const { address, port } = this.service.dns;
    const options = ['+onesoa', '+noidnout', '-y', this.service.tsigKeys[0] ?? '', '-p', String(port), `@${address}`];
    const text = await this.retry(async () => {
      const { stdout } = await promisify(execFile)('dig', [...options, this.name, 'AXFR'], { encoding: 'utf8' }).catch(
        (error: unknown) => error as { readonly stdout: string },
      );
      // A killed service sends no zone, or a part of it.
      if (!stdout.includes('XFR size')) throw new Error(`${this.name}, ${when}, was not transferred: ${stdout}`);
      return stdout;
    });
    // dig shows the signature of the message as a record.
    writeFileSync(file, text.replaceAll(/^.*\sTSIG\s.*$/gm, ''));
    const serial = Number(/\tSOA\t\S+ \S+ (\d+) /.exec(text)?.[1]);
    if (!(serial >= this.serial)) this.fail(`${when}: serial ${serial} after ${this.serial}`);
    this.serial = serial;
    return file;
  }

  /** Has another implementation verify the signatures of the transferred zone. */
  private async verify(when: string): Promise<void> {
    const file = await this.transfer(when);
    // 0 days read the sandbox's time, in which signatures are made.
    const { now } = await this.retry(() => this.service.call('POST', '/api/sandbox/advance', { days: 0 }));
    const time = String(now).replaceAll(/\D/g, '').slice(0, 14);
    await promisify(execFile)('ldns-verify-zone', ['-t', time, file]).catch((error: unknown) =>
      this.fail(`${when}: ${String((error as { stderr?: string }).stderr)}`),
    );
    const keys = await this.readKeys();
    if (JSON.stringify(keys) !== JSON.stringify(this.keyIds)) this.fail(`${when}: has other keys than before`);
    this.verified += 1;
  }

  private async readKeys(): Promise<unknown> {
    const { keys } = await this.read(`/api/zones/${this.zoneId}/dnssec`);
    return (keys as readonly Reply[]).map((key) => key['key_tag']);
  }

  private async readRecords(): Promise<readonly string[]> {
    const records = await this.read(`/api/zones/${this.zoneId}/dns/records`);
    return (records as unknown as Reply[]).map(({ id }) => String(id)).toSorted();
  }

  private read(path: string): Promise<Reply> {
    return this.retry(() => this.service.call('GET', path));
  }

  private async until(path: string, isReached: (shown: Reply) => boolean): Promise<void> {
    while (!isReached(await this.read(path))) await sleep(50);
  }

  /** Sends a change until it has a response, always with the same key. */
  private change(method: string, path: string, body?: object): Promise<Reply> {
    this.changes += 1;
    const headers = { 'Idempotency-Key': `${this.name}-${this.changes}` };
    return this.retry(() => this.service.call(method, path, body, headers));
  }

  private async retry<T>(attempt: () => Promise<T>): Promise<T> {
    let refusal: unknown;
    for (let left = 1_200; ; left -= 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!IS_DOWN.test(String(error))) refusal = error;
        if (left === 0 || /returned 4(?!09|29)/.test(String(error))) throw refusal ?? error;
        await sleep(100);
      }
    }
  }

  private fail(text: string): void {
    this.failures.push(`${this.name} ${text}`);
  }
}

/** The other registrar's request outlives a service that was killed before it responded. */
function ignoreRepetition(error: unknown): void {
  if (!/A transfer of \S+ is pending/.test(String(error))) throw error;
}
