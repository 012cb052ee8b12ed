import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { api, registered, type Api } from '../support/service';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../support/service-process';

const WRITERS = 8;

interface SentRecord {
  readonly name: string;
  readonly content: string;
}

/** Keeps writing records until the service is gone; kills it after the given number of answers. */
async function writeUntilKilled(client: Api, domainId: string, service: ServiceProcess, answers: number, round: number): Promise<{ sent: SentRecord[]; answered: SentRecord[] }> {
  const sent: SentRecord[] = [];
  const answered: SentRecord[] = [];
  const write = async (): Promise<void> => {
    const record = { name: `h${round}-${sent.length}`, content: `written in round ${round} as number ${sent.length}` };
    sent.push(record);
    await client.post(`/api/domains/${domainId}/dns/records`, { type: 'TXT', ...record }).expect(201);
    answered.push(record);
    if (answered.length === answers) service.signal('SIGKILL');
    await write();
  };
  await Promise.allSettled(Array.from({ length: WRITERS }, write));
  await service.ended;
  return { sent, answered };
}

describe('a service that is killed in the middle of writing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-crash-'));
  const file = join(folder, 'namewright.db');
  let service: ServiceProcess;

  beforeAll(build, 120_000);
  beforeEach(() => {
    service = startProcess({ PORT: '0', DATABASE_URL: `sqlite:${file}`, RATE_LIMIT_PER_MINUTE: '0' });
  });
  afterEach(async () => {
    service.signal('SIGKILL');
    await service.ended;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has kept what it answered, and nothing by halves', async () => {
    const key = await firstKeyOf(service);
    const first = api({ server: await addressOf(service) }, key);
    const id = await registered(first, 'crash.com');
    const versionOf = async (client: Api) => Number((await client.get(`/api/domains/${id}/dns/records?limit=1`).expect(200)).headers['zone-version']);
    const initialVersion = await versionOf(first);
    const sent: SentRecord[] = [];
    const answered: SentRecord[] = [];

    for (const [round, answers] of [3, 17, 40].entries()) {
      const written = await writeUntilKilled(api({ server: await addressOf(service) }, key), id, service, answers, round);
      sent.push(...written.sent);
      answered.push(...written.answered);
      service = startProcess({ PORT: '0', DATABASE_URL: `sqlite:${file}`, RATE_LIMIT_PER_MINUTE: '0' });
    }

    const client = api({ server: await addressOf(service) }, key);
    const { body: records } = await client.get(`/api/domains/${id}/dns/records`).expect(200);
    const kept = (records as SentRecord[]).map(({ name, content }) => ({ name, content }));
    expect(kept).toEqual(expect.arrayContaining(answered));
    expect(sent).toEqual(expect.arrayContaining(kept));
    expect(await versionOf(client)).toBe(initialVersion + kept.length);
    const database = new Database(file, { readonly: true });
    expect(database.prepare("SELECT COUNT(*) FROM audit_log WHERE domain_id = ? AND action = 'records.added'").pluck().get(id)).toBe(kept.length);
    expect(database.prepare('SELECT record_count FROM zones WHERE domain_id = ?').pluck().get(id)).toBe(kept.length);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('foreign_key_check')).toEqual([]);
    database.close();
  }, 60_000);
});
