import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { LossyProxy } from '../../support/clients/lossy-proxy';
import { describeOrSkip } from '../../support/describe-or-skip';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const COLLECTION = resolve(__dirname, '../../../clients/ansible');
const EXAMPLE = join(COLLECTION, 'example/names.yml');
const MISSING =
  spawnSync('ansible-playbook', ['--version']).status === 0 ? undefined : 'ansible-playbook is not installed';

const ORDERS = (contact: string, proposing: string) => `
- hosts: localhost
  gather_facts: false
  tasks:
    - &order
      namewright.dns.domain:
        name: ordered-by-ansible.com
        register: true
        max_price: { amount: 20, currency: USD }
        registrant: ${contact}
    - *order
    - namewright.dns.domain:
        name: too-dear-for-ansible.com
        register: true
        max_price: { amount: 1, currency: USD }
        registrant: ${contact}
      ignore_errors: true
    - namewright.dns.record: { zone: ${contact}, name: www.${contact}, type: A, values: [192.0.2.1], exclusive: false }
    - namewright.dns.record: { zone: ${contact}, name: www, type: A, values: [192.0.2.1], state: absent }
    - namewright.dns.record: { zone: ${contact}, name: www, type: A, values: [192.0.2.300] }
      ignore_errors: true
    - namewright.dns.zone: { name: ${contact}, state: absent }
      ignore_errors: true
    - namewright.dns.record: { zone: ${contact}, name: new, type: A, values: [192.0.2.1], api_key: '${proposing}' }
      ignore_errors: true
`;

describeOrSkip(MISSING)('the Ansible collection', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-ansible-'));
  const domain = 'by-ansible.com';
  const zone = 'corp.example';

  beforeAll(() => {
    const built = ['collection', 'build', COLLECTION, '--output-path', folder];
    execFileSync('ansible-galaxy', built, { cwd: folder, stdio: 'pipe', env: settings() });
    const installed = ['collection', 'install', join(folder, 'namewright-dns-0.1.0.tar.gz'), '-p', folder];
    execFileSync('ansible-galaxy', installed, { cwd: folder, stdio: 'pipe', env: settings() });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function settings(access: Readonly<Record<string, string>> = {}) {
    const where = { HOME: folder, ANSIBLE_COLLECTIONS_PATH: folder, ANSIBLE_LOCALHOST_WARNING: 'false' };
    return { ...process.env, ...where, ANSIBLE_NOCOLOR: 'true', ANSIBLE_PIPELINING: 'true', ...access };
  }

  /** Plays that use the service through a proxy that loses the first response to each write. */
  function playsWith(service: () => TestService) {
    let key: string;
    let client: Api;
    let proxy: LossyProxy;

    beforeAll(async () => {
      key = await service().key(await service().account());
      client = api(service(), key);
      proxy = await LossyProxy.start((service().server.address() as AddressInfo).port);
    });
    afterAll(() => proxy?.stop());

    return {
      client: () => client,
      proxy: () => proxy,
      /** With what the play says of changes at its end. */
      play: async (...args: string[]): Promise<{ output: string; recap: string }> => {
        const env = settings({ NAMEWRIGHT_URL: proxy.url, NAMEWRIGHT_API_KEY: key });
        const played = promisify(execFile)('ansible-playbook', ['-i', 'localhost,', ...args], { cwd: folder, env });
        const { stdout, stderr } = await played;
        const output = stdout + stderr;
        expect(output).not.toContain(key);
        return { output, recap: /changed=\d+|$/.exec(output)![0] + (/ ignored=\d+/.exec(output)?.[0] ?? '') };
      },
    };
  }

  describe('the example playbook', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService();
    });
    const { client, proxy, play } = playsWith(() => service);
    afterAll(() => service?.stop());
    const names = ['-c', 'local', '--diff', '-e', `domain=${domain} zone=${zone}`, EXAMPLE];
    let dns: string;

    beforeAll(async () => {
      dns = `/api/domains/${await registered(client(), domain)}/dns`;
      for (const content of ['192.0.2.8', '192.0.2.9'])
        await client().post(`${dns}/records`, { name: 'old', type: 'A', content }).expect(201);
      await client()
        .post('/api/zones', { name: `old.${zone}` })
        .expect(201);
    });

    const recordsOf = async (path: string) =>
      (await client().get(`${path}/records`).expect(200)).body.map(
        ({ name, ttl, type, content }: Record<string, string>) => `${name} ${ttl} ${type} ${content}`,
      );
    const everything = async () => [
      await recordsOf(dns),
      (await client().get(`/api/domains/by-name/${domain}`).expect(200)).body.tags,
      (await client().get('/api/zones?kind=hosted').expect(200)).body.map(({ name }: { name: string }) => name),
    ];

    it('shows in check mode what it would change and changes nothing, then changes it, and then nothing more', async () => {
      const before = await everything();

      const checked = await play('--check', ...names);
      const unchanged = await everything();
      const first = await play(...names);
      const after = await everything();
      const second = await play(...names);

      expect(checked.recap).toBe('changed=6 ignored=0');
      expect(checked.output).toMatch(/^\+@ 600 MX 20 backup\.example\.net$/m);
      expect(checked.output).toMatch(/^-old 3600 A 192\.0\.2\.8$/m);
      expect(checked.output).toMatch(/^\+tags: \["ansible", "shop"\]$/m);
      expect(checked.output).toMatch(/^\+gw 300 A 192\.0\.2\.1$/m);
      expect(unchanged).toEqual(before);
      expect(first.recap).toBe('changed=6 ignored=0');
      expect(after).toEqual([
        ['@ 600 MX mail.example.net', '@ 600 MX backup.example.net', 'www 3600 AAAA 2001:db8::1'],
        ['ansible', 'shop'],
        [zone],
      ]);
      expect(second.recap).toBe('changed=0 ignored=0');
      expect(await everything()).toEqual(after);
      // Each write lost its first response, and was sent again.
      expect(new Set(proxy().attempts)).toEqual(new Set([2]));
    });
  });

  describe('a playbook with orders', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService();
    });
    const { client, play } = playsWith(() => service);
    afterAll(() => service?.stop());

    it('buys a name once and not above its price, and says why it refuses', async () => {
      await registered(client(), domain);
      const file = join(folder, 'orders.yml');
      const proposing = { name: 'proposes', scope: 'WRITE', limits: { propose: true } };
      writeFileSync(file, ORDERS(domain, (await client().post('/api/keys', proposing).expect(201)).body.key));

      const { output, recap } = await play('-c', 'local', file);

      // The order, the record and its removal.
      expect(recap).toBe('changed=3 ignored=4');
      expect(output).toContain('max_price');
      expect(output).toContain('create[0]: A content must be an IPv4 address');
      expect(output).toContain(`${domain} is a registered domain, whose zone is not deleted`);
      expect(output).toMatch(/Someone else has to accept the change: it is the proposal prop_/);
      const ledger = await client().get('/api/sandbox/ledger?name=ordered-by-ansible.com').expect(200);
      expect(ledger.body).toMatchObject([{ kind: 'register' }]);
    });
  });

  it('has documentation that ansible-doc reads', () => {
    const modules = ['domain', 'record', 'zone'].map((name) => `namewright.dns.${name}`);

    const text = execFileSync('ansible-doc', ['--json', ...modules], { env: settings(), encoding: 'utf8' });

    const documented = JSON.parse(text) as Record<string, { doc: { options: Record<string, object> } }>;
    expect(Object.keys(documented).toSorted()).toEqual(modules);
    for (const { doc } of Object.values(documented)) expect(doc.options).toHaveProperty('api_key');
    const [ofDomain, , ofZone] = modules.map((name) => documented[name]?.doc.options['records']);
    expect(ofDomain).toHaveProperty('suboptions.content');
    expect(ofZone).toEqual(ofDomain);
  });
});
