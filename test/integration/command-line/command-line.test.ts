import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { startCodeHost, type CodeHost } from '../../support/clients/code-host';
import { installCli, type InstalledCli } from '../../support/clients/installed-cli';
import { checkOut, createRules, runGithubJob, runGitlabJob } from '../../support/clients/pipelines';
import { inTerminal, type Turn } from '../../support/clients/pseudo-terminal';
import { freePort } from '../../support/free-port';
import {
  api,
  hosted,
  registered,
  REGISTRANT,
  startService,
  type Api,
  type TestService,
} from '../../support/service/service';

const PAGE = readFileSync(resolve(__dirname, '../../../docs/clients/cli.md'), 'utf8');
const FIXTURE = readFileSync(resolve(__dirname, '../../fixtures/octodns/example.com.yaml'), 'utf8');
/** Without SSHFP, which is off by default. */
const OTHER_OCTODNS_ZONE = FIXTURE.replace(/^ssh:[^]*?(?=^sub:)/m, '');
const MIB = 1_048_576;
const STATE = `
managed_by: git
records:
  - { name: '@', type: MX, content: mail.example.net, priority: 10 }
  - { name: shop, type: A, content: 192.0.2.2, ttl: 300 }
`;
const OCTODNS_ZONE = `
'':
  - { type: A, ttl: 300, values: [192.0.2.1, 192.0.2.2] }
  - { type: CAA, value: { flags: 0, tag: issue, value: ca.example.net } }
  - { type: MX, values: [{ exchange: mail.example.net., preference: 10 }] }
  - { type: NS, values: [ns1.namewright.example., ns2.namewright.example.] }
  - { type: TXT, value: 'v=spf1\\; -all' }
'*': { type: CNAME, value: www.taken-over.com. }
_sip._tcp: { type: SRV, value: { priority: 1, weight: 2, port: 443, target: www.taken-over.com. } }
www: { type: AAAA, value: '2001:db8::1' }
`;
const ESCAPE_SEQUENCE = '\x1b[';

/** The examples of a Markdown page, and the exit code that each is to have. */
const EXAMPLES = [...PAGE.matchAll(/```sh\n(.*?)```/gs)]
  .flatMap(([, block = '']) => block.split('\n'))
  .filter((line) => line.startsWith('namewright '))
  .map((line) => ({ line, exitCode: Number(/# exits with (\d)/.exec(line)?.[1] ?? 0) }));

const orderBelow = (price: number) => `
register: true
max_price: { amount: ${price}, currency: USD }
registrant: { contact: registrant-of.com }
tags: [git]
`;

/** What bash offers after these words. */
async function completed(shell: (line: string) => Promise<{ stdout: string }>, ...words: string[]): Promise<string[]> {
  const typed = `COMP_WORDS=(namewright ${words.join(' ')} ''); COMP_CWORD=${words.length + 1}`;
  const { stdout } = await shell(
    `source <(namewright completion bash); ${typed}; _namewright; echo "\${COMPREPLY[@]}"`,
  );
  return stdout.trim().split(' ');
}

describe('the installed command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-cli-'));
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  let service: TestService;
  let installed: InstalledCli;
  let key: string;
  let url: string;
  let rest: Api;
  let codeHost: CodeHost;

  beforeAll(async () => {
    for (const each of [home, work, join(folder, 'machine')]) mkdirSync(each);
    installed = installCli(join(folder, 'machine'));
    service = await startService();
    key = await service.key(await service.account());
    rest = api(service, key);
    codeHost = await startCodeHost();
    url = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    await codeHost.close();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    PATH: [installed.bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    TERM: 'xterm-256color',
  });
  const access = () => ({ NAMEWRIGHT_URL: url, NAMEWRIGHT_API_KEY: key });

  interface Outcome {
    readonly exitCode: number;
    readonly stdout: string;
    readonly stderr: string;
  }

  /** Runs a line of a shell without a terminal. */
  const shell = (line: string, env: Record<string, string> = access()): Promise<Outcome> =>
    new Promise((done) => {
      const options = { cwd: work, env: { ...environment(), ...env } };
      const child = execFile('bash', ['-c', line], options, (error, stdout, stderr) =>
        done({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
      child.stdin?.end();
    });

  const terminal = (line: string, turns: readonly Turn[], env: Record<string, string> = access()) =>
    inTerminal(['bash', '-c', line], turns, { cwd: work, env: { ...environment(), ...env } });

  it('is a file of under 1 MiB that needs nothing but Node', async () => {
    const { stdout } = await shell('namewright --version', {
      PATH: [installed.bin, dirname(process.execPath)].join(delimiter),
    });

    expect(stdout).toBe('0.1.0\n');
    expect(installed.size).toBeLessThan(MIB);
    const lock = readFileSync(join(folder, 'machine/package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: Record<string, { inBundle?: boolean }> };
    const downloaded = Object.entries(packages).filter(([, { inBundle }]) => inBundle !== true);
    expect(downloaded.map(([path]) => path)).toEqual(['', 'node_modules/namewright-cli']);
  });

  it('runs every example of its page', async () => {
    const { body: elsewhere } = await rest.post('/api/sandbox/other-registrar/domains', { name: 'other-name.com' });
    const { body: toRevoke } = await rest.post('/api/keys', { name: 'old', scope: 'READ' });
    writeFileSync(join(work, 'key.txt'), key);
    writeFileSync(join(work, 'registrant.json'), JSON.stringify(REGISTRANT));
    writeFileSync(join(work, 'my-name.com.yaml'), STATE);
    writeFileSync(join(work, 'auth-code.txt'), elsewhere.auth_code as string);
    const { body: events } = await rest.get('/api/events');
    const variables = { URL: url, KEY_ID: String(toRevoke.key_id), EVENT_ID: String(events[0].id) };

    for (const { line, exitCode } of EXAMPLES) {
      const outcome = await shell(line, variables);
      expect({ line, ...outcome }).toMatchObject({
        line,
        exitCode,
        stderr: '',
        stdout: expect.stringMatching(/\S/),
      });
    }

    expect(EXAMPLES.length).toBeGreaterThan(20);
    const { body: domain } = await rest.get('/api/domains/by-name/my-name.com').expect(200);
    expect(domain).toMatchObject({ status: 'active', contacts: { registrant: { last_name: 'Lovelace' } } });
    const file = join(home, '.config/namewright/profiles.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ default: { url, key } });
    expect(readFileSync(join(work, 'my-name.com.zone'), 'utf8')).toContain('SOA');
  });

  it('sets records to the contents that it is given, and changes nothing the second time', async () => {
    const zone = 'set-records.com';
    await registered(rest, zone);
    const list = async () => {
      const { stdout } = await shell(`namewright records list ${zone} --json`);
      return (JSON.parse(stdout) as { name: string; type: string; content: string; ttl: number }[]).map(
        (each) => `${each.name} ${each.ttl} ${each.type} ${each.content}`,
      );
    };
    await shell(`namewright records add ${zone} www A 192.0.2.1 192.0.2.2 192.0.2.3`);

    const first = await shell(`namewright records set ${zone} www a 192.0.2.3 192.0.2.9 --ttl 60`);
    const second = await shell(`namewright records set ${zone} www A 192.0.2.3 192.0.2.9 --ttl 60`);

    expect(first.stdout).toContain('0 added, 2 changed, 1 removed');
    expect(second.stdout).toBe('Nothing to change.\n');
    expect((await list()).toSorted()).toEqual(['www 60 A 192.0.2.3', 'www 60 A 192.0.2.9']);
  });

  it('plans in color, asks, applies once, and shows drift', async () => {
    const zone = 'from-git.com';
    await registered(rest, zone);
    await shell(`namewright records add ${zone} old A 192.0.2.9`);
    writeFileSync(join(work, `${zone}.yaml`), STATE.replace('managed_by: git\n', ''));

    const planned = await terminal(`namewright plan ${zone}.yaml`, []);

    expect(planned.exitCode).toBe(2);
    expect(planned.screen).toContain('\x1b[31m  - old 3600 A 192.0.2.9\x1b[39m');
    expect(planned.screen).toContain('\x1b[32m  + shop 300 A 192.0.2.2\x1b[39m');
    expect(planned.screen).toContain('Plan: 2 to add, 0 to change, 1 to remove.');

    const applied = await terminal(`namewright apply ${zone}.yaml`, [{ shows: '[y/N]', type: 'y\r' }]);

    expect(applied).toMatchObject({ exitCode: 0, screen: expect.stringContaining(`Applied: ${zone}.`) });
    expect(await shell(`namewright plan ${zone}.yaml`)).toMatchObject({ exitCode: 0, stdout: 'Nothing to change.\n' });

    await shell(`namewright records set ${zone} shop A 192.0.2.3`);

    expect(await shell(`namewright drift ${zone}.yaml`)).toMatchObject({
      exitCode: 2,
      stdout: `${zone} differs from ${zone}.yaml\n  ~ shop 300 A 192.0.2.2\n  → shop 300 A 192.0.2.3\n`,
    });
    const stored = await shell(`namewright drift ${zone}`);
    expect(stored.exitCode).toBe(2);
    expect(stored.stdout).toMatch(
      /^from-git\.com differs from the state of 2\S+Z by key:\S+\n {2}~ shop 300 A 192\.0\.2\.2\n/,
    );
    expect(await shell('namewright drift my-name.net')).toMatchObject({ exitCode: 1 });
    expect(await shell('namewright drift')).toEqual(stored);
  });

  it('adopts what was changed by hand by applying the state that is exported, which changes nothing', async () => {
    const zone = 'adopted-in-git.com';
    const id = await registered(rest, zone);
    writeFileSync(join(work, `${zone}.yaml`), 'tags: [git]\nrecords: []\n');
    await shell(`namewright apply ${zone}.yaml --yes`);
    await shell(`namewright records add ${zone} www A 192.0.2.1`);
    await rest.put(`/api/domains/${id}/tags`, { tags: ['by-hand'] }).expect(200);
    expect(await shell(`namewright drift ${zone}`)).toMatchObject({ exitCode: 2 });

    await shell(`namewright export ${zone} --state --output ${zone}.yaml`);
    const applied = await shell(`namewright apply ${zone}.yaml`);

    expect(applied).toMatchObject({
      exitCode: 0,
      stdout: `Nothing to change.\nUnchanged, and compared with this state from now on: ${zone}.\n`,
    });
    expect(await shell(`namewright drift ${zone}`)).toMatchObject({ exitCode: 0, stdout: 'Nothing was changed.\n' });
    expect((await shell('namewright drift')).stdout).not.toContain(zone);
    expect(await shell(`namewright apply ${zone}.yaml`)).toMatchObject({ exitCode: 0, stdout: 'Nothing to change.\n' });
  });

  it('exits with 2 while a setting differs from its state, of one name, a file and all names, and with 0 once it is set back', async () => {
    const zone = 'settings-from-git.com';
    const id = await registered(rest, zone);
    writeFileSync(join(work, `${zone}.yaml`), 'auto_renew: true\ntags: [git]\n');
    await shell(`namewright apply ${zone}.yaml --yes`);
    const unchanged = { exitCode: 0, stdout: 'Nothing was changed.\n' };
    expect(await shell(`namewright drift ${zone}`)).toMatchObject(unchanged);

    await rest.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
    await rest.put(`/api/domains/${id}/tags`, { tags: [] }).expect(200);

    const changes = '  ~ auto_renew: true → false\n  ~ tags: git → none\n';
    const [named, all] = [await shell(`namewright drift ${zone}`), await shell('namewright drift')];
    expect(named).toMatchObject({ exitCode: 2, stdout: expect.stringContaining(changes) });
    expect(named.stdout).toContain(`${zone} differs from the state of `);
    expect(all).toMatchObject({ exitCode: 2, stdout: expect.stringContaining(named.stdout) });
    expect(await shell(`namewright drift ${zone}.yaml`)).toMatchObject({
      exitCode: 2,
      stdout: `${zone} differs from ${zone}.yaml\n${changes}`,
    });
    await shell(`namewright apply ${zone}.yaml --yes`);
    expect(await shell(`namewright drift ${zone}`)).toMatchObject(unchanged);
    expect((await shell('namewright drift')).stdout).not.toContain(zone);
  });

  it('changes nothing if the name has changed since the plan that was confirmed', async () => {
    const zone = 'changed-meanwhile.com';
    await registered(rest, zone);
    writeFileSync(join(work, `${zone}.yaml`), STATE);

    const outcome = await terminal(`namewright apply ${zone}.yaml`, [
      { shows: '[y/N]', first: `namewright records add ${zone} www A 192.0.2.1`, type: 'y\r' },
    ]);

    expect(outcome).toMatchObject({ exitCode: 1, screen: expect.stringContaining('PRECONDITION_FAILED') });
    expect((await shell(`namewright records list ${zone}`)).stdout).not.toContain('shop');
  });

  it('takes over octoDNS zones of a domain and of a hosted zone, and zone files, and finds nothing to change afterwards', async () => {
    const zone = 'taken-over.com';
    await registered(rest, zone);
    mkdirSync(join(work, 'zones'));
    writeFileSync(join(work, 'zones', `${zone}.yaml`), OCTODNS_ZONE);
    await hosted(rest, 'octodns.com');
    writeFileSync(join(work, 'zones/octodns.com.yaml'), OTHER_OCTODNS_ZONE);

    const applied = await shell('namewright apply zones --yes');
    await shell(`namewright export ${zone} --output ${zone}.zone`);

    expect(applied).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Plan: 20 to add') });
    expect(await shell('namewright plan zones')).toMatchObject({ exitCode: 0 });
    expect(await shell(`namewright plan ${zone}.zone`)).toMatchObject({ exitCode: 0, stdout: 'Nothing to change.\n' });
    await shell(`namewright export ${zone} --state --output ${zone}.yaml`);
    expect(await shell(`namewright plan ${zone}.yaml`)).toMatchObject({ exitCode: 0, stdout: 'Nothing to change.\n' });
    expect(readFileSync(join(work, `${zone}.yaml`), 'utf8')).toContain(
      '  - { name: _sip._tcp, type: SRV, content: www.taken-over.com, priority: 1, weight: 2, port: 443 }\n',
    );
    const { stdout } = await shell(`namewright records list ${zone}`);
    expect(
      stdout
        .split('\n')
        .slice(1, -1)
        .map((line) => line.replaceAll(/ +/g, ' '))
        .toSorted(),
    ).toEqual([
      '* 3600 CNAME www.taken-over.com',
      '@ 300 A 192.0.2.1',
      '@ 300 A 192.0.2.2',
      '@ 3600 CAA 0 issue "ca.example.net"',
      '@ 3600 MX 10 mail.example.net',
      '@ 3600 TXT v=spf1; -all',
      '_sip._tcp 3600 SRV 1 2 443 www.taken-over.com',
      'www 3600 AAAA 2001:db8::1',
    ]);
  });

  it.each([
    ['github', runGithubJob, 'by-github.com'],
    ['gitlab', runGitlabJob, 'by-gitlab.com'],
  ] as const)('comments plans and applies them after the merge, by the example for %s', async (host, runJob, zone) => {
    await registered(rest, zone);
    const rules = await createRules(rest, host, { url, codeHost });
    const repository = checkOut(join(folder, zone), installed.file, { url, codeHost, ...rules });
    const run = (job: 'plan' | 'apply' | 'drift') => runJob(job, repository);
    const file = join(repository.folder, `zones/${zone}.yaml`);
    const records = async () => (await shell(`namewright records list ${zone}`)).stdout;
    codeHost.write('<!-- namewright plan --> of someone else');

    writeFileSync(file, STATE.replace('192.0.2.2', '192.0.2.999'));
    expect(await run('plan')).toMatchObject({ exitCode: 1, log: expect.stringContaining('records[1].content') });
    expect(codeHost.comments[1]?.body).toMatch(/There is no plan\*\*\n\n {4}Error: .*\n( {4}.*\n)+$/);

    writeFileSync(file, STATE);
    expect(await run('plan')).toMatchObject({ exitCode: 0 });
    expect(codeHost.comments.map(({ body }) => body)).toEqual([
      '<!-- namewright plan --> of someone else',
      expect.stringMatching(/This changes domains or records\*\*\n\n( {4}.*\n)+ {4}Plan: 2 to add, 0 to change, 0 to/),
    ]);
    expect(await records()).not.toContain('192.0.2.2');

    const withOtherRule = await runJob('plan', { ...repository, planRule: rules.applyRule });
    expect(withOtherRule).toMatchObject({ exitCode: 1, log: expect.stringContaining('gives no key for the token') });
    expect(await run('apply')).toMatchObject({ exitCode: 0, log: expect.stringContaining(`Applied: ${zone}.`) });
    expect(await records()).toContain('192.0.2.2');
    expect(await run('plan')).toMatchObject({ exitCode: 0 });
    expect(codeHost.comments[1]?.body).toContain('This changes nothing');
    await shell(`namewright records set ${zone} shop A 192.0.2.9`);
    expect(await run('drift')).toMatchObject({ exitCode: 2, log: expect.stringContaining('→ shop 300 A 192.0.2.9') });

    await run('apply');
    rmSync(file);
    expect(await run('apply')).toMatchObject({ exitCode: 0, log: expect.stringMatching(/^Nothing to change\.$/m) });
    expect(await records()).toContain('192.0.2.2');
    expect((await rest.get(`/api/domains/by-name/${zone}`)).body.status).toBe('active');
    codeHost.comments.splice(0);
  });

  it('registers a name that a state asks for, at the price that its plan shows', async () => {
    await registered(rest, 'registrant-of.com');
    const file = 'bought-by-git.com.yaml';
    writeFileSync(join(work, file), orderBelow(1));

    const tooDear = await shell(`namewright plan ${file}`);
    writeFileSync(join(work, file), orderBelow(20));
    const applied = await shell(`namewright apply ${file} --yes`);

    expect(tooDear.exitCode).toBe(1);
    expect(tooDear.stderr).toContain('max_price');
    expect(applied.exitCode).toBe(0);
    expect(applied.stdout).toContain('  at the registry: register, 10.44 USD\n');
    expect(applied.stdout).toContain('2 settings, 10.44 USD.\n');
    const { body } = await rest.get('/api/domains/by-name/bought-by-git.com').expect(200);
    expect(body).toMatchObject({ status: 'active', tags: ['git'] });
    expect(await shell(`namewright plan ${file}`)).toMatchObject({ exitCode: 0, stdout: 'Nothing to change.\n' });
  });

  it('creates reverse zones by network, and those of RFC 2317 by name', async () => {
    const byNetwork = await shell('namewright zones create 192.0.2.0/24');
    const byName = await shell('namewright zones create 0/26.2.0.192.in-addr.arpa');

    expect(byNetwork.stdout).toContain('2.0.192.in-addr.arpa  active, not registered here');
    expect(byName.stdout).toContain('0/26.2.0.192.in-addr.arpa  active, not registered here');
  });

  it('shows the health of names without a registration', async () => {
    await shell('namewright zones create unregistered-health.com');

    const { stdout } = await shell('namewright health unregistered-health.com --json');

    expect(JSON.parse(stdout)).toMatchObject({ domain_id: expect.stringMatching(/^dom_/) });
  });

  it('completes commands, their further words and options in bash', async () => {
    expect(await completed(shell)).toEqual(expect.arrayContaining(['login', 'records', 'keys', '--help']));
    expect(await completed(shell, 'records')).toEqual(['list', 'add', 'set', 'rm']);
    expect(await completed(shell, 'records', 'add')).toEqual(expect.arrayContaining(['--ttl', '--dry-run', '--json']));
    expect(await completed(shell, 'keys')).toEqual(expect.arrayContaining(['create', 'revoke', '--all']));
  });

  it.each([
    [
      'an unknown domain',
      'namewright domains not-here.com',
      'Specified domain not found (DOMAIN_NOT_FOUND)',
      '`namewright domains` lists',
    ],
    [
      'a name that is taken',
      'namewright register my-name.com --registrant-of my-name.com',
      'my-name.com is not free',
      '`namewright search`',
    ],
    [
      'an order that no one confirms',
      'namewright renew my-name.com',
      'my-name.com is paid until',
      'Without a terminal, only --yes',
    ],
    ['an unknown command', 'namewright record', 'record is not a command', '`namewright --help`'],
    ['half a command', 'namewright records', 'records needs one of list, add, set, rm', 'rm'],
    ['a wrong option', 'namewright renew my-name.com --year 2', "Unknown option '--year'", '`namewright renew --help`'],
  ])('says what to do after %s, and exits with 1', async (_what, line, message, advice) => {
    const { exitCode, stdout, stderr } = await shell(line);

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(`Error: ${message}`);
    expect(stderr).toContain(advice);
  });

  it('prints errors as JSON for programs', async () => {
    const { exitCode, stderr } = await shell('namewright domains --json', {
      ...access(),
      NAMEWRIGHT_API_KEY: 'nw_live_wrong',
    });

    expect(exitCode).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'INVALID_API_KEY', details: expect.stringContaining('namewright login') },
    });
  });

  it('says which service does not respond, and why', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`;

    const { exitCode, stderr } = await shell('namewright whoami', { ...access(), NAMEWRIGHT_URL: dead });

    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Error: ${dead} does not respond (ECONNREFUSED)`);
  });

  it('refuses keys that others may read', async () => {
    const file = join(home, '.config/namewright/profiles.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ default: { url, key } }));
    chmodSync(file, 0o644);

    const { exitCode, stderr } = await shell('namewright whoami', {});

    expect(exitCode).toBe(1);
    expect(stderr).toContain(`chmod 600 ${file}`);
    rmSync(file);
  });

  it('asks for the key in a terminal without showing it', async () => {
    const { screen, exitCode } = await terminal(
      'namewright login --profile typed && namewright whoami --profile typed',
      [
        { shows: 'URL [', type: `${url}\r` },
        { shows: 'API key: ', type: `${key}\r` },
      ],
      {},
    );

    expect(exitCode).toBe(0);
    expect(screen).toContain(`Signed in to ${url} as profile typed.`);
    expect(screen.match(/scope ADMIN/g)).toHaveLength(2);
    expect(screen).not.toContain(key.split('.')[1]);
  });

  it('shows a removal in color and asks, and removes nothing without a yes', async () => {
    const zone = 'asked-for.com';
    await registered(rest, zone);
    await shell(`namewright records add ${zone} www A 192.0.2.1`);
    const count = async () =>
      JSON.parse((await shell(`namewright records list ${zone} --json`)).stdout).length as number;
    const command = `namewright records rm ${zone} www A`;

    const refused = await terminal(command, [{ shows: '[y/N]', type: 'n\r' }]);

    expect(refused).toMatchObject({ exitCode: 1, screen: expect.stringContaining('nothing was changed') });
    expect(refused.screen).toContain('\x1b[31m  - www 3600 A 192.0.2.1\x1b[39m');
    expect(await count()).toBe(1);

    const confirmed = await terminal(command, [{ shows: '[y/N]', type: 'y\r' }]);

    expect(confirmed).toMatchObject({ exitCode: 0, screen: expect.stringContaining('1 removed') });
    expect(await count()).toBe(0);
  });

  it('shows no colors with NO_COLOR or without a terminal', async () => {
    const line = 'namewright domains';

    const colored = await terminal(line, []);
    const plain = await terminal(line, [], { ...access(), NO_COLOR: '1' });
    const piped = await terminal(`${line} | cat`, []);

    expect(colored.screen).toContain('\x1b[1mNAME');
    expect(plain.screen).toContain('NAME');
    expect([plain.screen, piped.screen].filter((screen) => screen.includes(ESCAPE_SEQUENCE))).toEqual([]);
  });
});
