import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fiftyTasks, transcriptOf, type Task } from '../../support/mcp/fifty-tasks';
import { McpClient } from '../../support/mcp/mcp-client';
import { api, registered, startService, type TestService } from '../../support/service/service';

const PAGE = resolve(__dirname, '../../../docs/clients/agents-transcript.md');

describe('an agent that does 50 tasks by MCP', () => {
  let service: TestService;
  let tasks: readonly Task[];
  let written: readonly { readonly type: string }[];

  beforeAll(async () => {
    service = await startService();
    const key = await service.key(await service.account());
    const rest = api(service, key);
    await registered(rest, 'owner.com');
    const { body } = await rest.post('/api/keys', { name: 'agent', scope: 'WRITE', limits: { propose: true } });
    const before = (await rest.get('/api/events?limit=1000').expect(200)).headers['events-position'] as string;
    const of = (text: string) => new McpClient(service.server, text, { asksPeople: true });
    tasks = await fiftyTasks({ confirmed: of(key), declined: of(key), proposer: of(body.key as string) });
    written = (await rest.get(`/api/events?limit=1000&after=${before}`).expect(200)).body as { type: string }[];
  });
  afterAll(() => service.stop());

  it('does each as the transcript in the docs says', () => {
    const transcript = transcriptOf(tasks);
    if (process.env['WRITE_TRANSCRIPT']) writeFileSync(PAGE, transcript);

    expect(tasks).toHaveLength(50);
    expect(transcript).toBe(readFileSync(PAGE, 'utf8'));
  });

  it('writes nothing that a person has not approved', () => {
    const outcomes = tasks.filter(({ lines }) => lines.includes('! no')).map(({ outcome }) => outcome);
    const risky = written.filter(({ type }) =>
      /^domain\.(deletion|deleted|nameservers|transfer_lock|registered|renewed)/.test(type),
    );

    expect(new Set(outcomes)).toEqual(new Set(['declined']));
    // One registration and one renewal were confirmed.
    expect(risky.map(({ type }) => type).toSorted()).toEqual(['domain.registered', 'domain.renewed']);
    expect(written.filter(({ type }) => type === 'proposal.created')).toHaveLength(3);
  });
});
