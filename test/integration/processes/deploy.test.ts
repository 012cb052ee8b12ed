import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, parseAllDocuments } from 'yaml';
import { readEnvironment } from '../../../src/config';
import { MYSQL_MISSING, startMysql } from '../../support/databases/mariadb';
import { REDIS_MISSING, startRedis } from '../../support/databases/redis';
import { freePort } from '../../support/free-port';
import { KNOT_MISSING } from '../../support/nameservers/knot';
import { missing, Nameserver, program } from '../../support/nameservers/nameserver';
import { api, registered } from '../../support/service/service';
import { addressOf, build, firstKeyOf, startProcess } from '../../support/service/service-process';
import { describeOrSkip } from '../../support/describe-or-skip';

const KNOWN = new Set(
  [...readFileSync('.env.example', 'utf8').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name),
);

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly environment?: Readonly<Record<string, string>>;
        readonly depends_on?: Readonly<Record<string, unknown>>;
        readonly volumes?: readonly string[];
        readonly networks?: unknown;
        readonly read_only?: boolean;
        readonly command?: readonly string[];
      }
    >
  >;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** `NAME=value`, one a line or separated by spaces. */
function variablesOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
}

/** The variables of a unit; those of its EnvironmentFile come last. */
function environmentOf(unit: string): Record<string, string> {
  const [, own = ''] = /^Environment=(.*)$/m.exec(readFileSync(join('ops/systemd', unit), 'utf8')) ?? [];
  return { ...variablesOf(own.replaceAll(' ', '\n')), ...variablesOf(readFileSync('ops/systemd/env.example', 'utf8')) };
}

/** Run by Node itself, because the package has only ECMAScript modules. */
const VALIDATE_MANIFESTS = `
  import { readFileSync } from 'node:fs';
  for (const manifest of JSON.parse(readFileSync(0, 'utf8'))) {
    const { [manifest.kind]: Kind } = await import(\`kubernetes-models/\${manifest.apiVersion}/\${manifest.kind}\`);
    new Kind(manifest).validate();
  }`;
const SECRETS = { DATABASE_URL: 'mysql://namewright:password@mariadb/namewright', LIMITS_STORE: 'redis://valkey' };

describe('the files for deploying', () => {
  it.each<[string, () => Record<string, string>]>([
    [
      'compose.yaml',
      () => ({
        ...(parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as Compose).services['namewright']
          ?.environment,
      }),
    ],
    [
      'ops/kubernetes/namewright.yaml, with its secret',
      () => ({
        ...parseAllDocuments(readFileSync('ops/kubernetes/namewright.yaml', 'utf8')).map(
          (each) => each.toJS() as { data?: object },
        )[0]?.data,
        ...SECRETS,
      }),
    ],
    [
      'the Containerfile, with the REGISTRY of docs/deploying.md',
      () => ({
        ...variablesOf((/^ENV (.*)$/m.exec(readFileSync('Containerfile', 'utf8'))?.[1] ?? '').replaceAll(' ', '\n')),
        REGISTRY: 'simulated',
      }),
    ],
    ['namewright.service', () => environmentOf('namewright.service')],
    ['namewright-backup.service', () => environmentOf('namewright-backup.service')],
    [
      'namewright-worker.service, with MySQL',
      () => ({ ...environmentOf('namewright-worker.service'), ...SECRETS, SECRET_KEY_FILE: '/etc/key' }),
    ],
  ])('%s gives the service an environment that it accepts', (_name, environment) => {
    const env = environment();

    expect(Object.keys(env).length).toBeGreaterThan(2);
    expect(readEnvironment(env).issues).toEqual([]);
  });

  it('compose.yaml refers only to services, networks, volumes and settings that exist', () => {
    const { services, networks, volumes } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as Compose;

    expect(Object.keys(services)).toEqual(['mariadb', 'valkey', 'setup', 'namewright', 'knot']);
    for (const service of Object.values(services)) {
      for (const name of Object.keys(service.depends_on ?? {})) expect(services).toHaveProperty(name);
      for (const volume of service.volumes ?? []) expect(volumes).toHaveProperty(volume.split(':')[0] ?? '');
      for (const name of [service.networks ?? []]
        .flat()
        .flatMap((each) => (typeof each === 'string' ? [each] : Object.keys(each))))
        expect(networks).toHaveProperty(name);
    }
    for (const name of ['setup', 'namewright'])
      expect(Object.keys(services[name]?.environment ?? {}).filter((setting) => !KNOWN.has(setting))).toEqual([]);
    expect(services['namewright']?.read_only).toBe(true);
  });

  it('the Kubernetes manifests match the schemas of their kinds, use known settings, run without privileges, and probe what the service serves', () => {
    const documents = parseAllDocuments(readFileSync('ops/kubernetes/namewright.yaml', 'utf8'));
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    const manifests = documents.map((each) => each.toJS() as { kind: string; data?: object; spec?: unknown });
    const text = JSON.stringify(manifests);

    expect(manifests.map(({ kind }) => kind)).toEqual([
      'ConfigMap',
      'Deployment',
      'Service',
      'PodDisruptionBudget',
      'NetworkPolicy',
      'CronJob',
    ]);
    execFileSync(process.execPath, ['--input-type=module', '--eval', VALIDATE_MANIFESTS], { input: text });
    expect(Object.keys(manifests[0]?.data ?? {}).filter((setting) => !KNOWN.has(setting))).toEqual([]);
    expect(text.match(/"readOnlyRootFilesystem":true/g)).toHaveLength(2);
    expect(text.match(/"runAsNonRoot":true/g)).toHaveLength(2);
    expect(text).toContain('"path":"/readyz"');
    expect(manifests.find(({ kind }) => kind === 'NetworkPolicy')?.spec).toMatchObject({
      ingress: [{ ports: expect.not.arrayContaining([{ port: 'metrics' }]) as unknown }, { from: [expect.anything()] }],
    });
  });

  it('the Containerfile copies only what .containerignore lets in', () => {
    const allowed = readFileSync('.containerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const copied = [...readFileSync('Containerfile', 'utf8').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, paths = '']) => paths.split(' '),
    );

    expect(copied.length).toBeGreaterThan(3);
    for (const path of copied)
      expect(
        allowed.some((line) =>
          new RegExp(`^${line.slice(1).replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(path),
        ),
      ).toBe(true);
  });
});

describeOrSkip(MYSQL_MISSING ?? REDIS_MISSING ?? KNOT_MISSING)(
  'compose.yaml with programs in place of its images',
  () => {
    it('ends in a name that Knot serves, and its setup can be repeated', async () => {
      build();
      const { setup } = (parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as Compose).services;
      const folder = mkdtempSync(join(tmpdir(), 'namewright-compose-'));
      const [mysql, valkey] = await Promise.all([startMysql(), startRedis()]);
      const plan = { name: 'ns1', port: await freePort(), folder: Nameserver.createFolder() };
      const places: readonly (readonly [string, string])[] = [
        ['mysql://namewright:trial-password@mariadb:3306/namewright', await mysql.createDatabase()],
        ['redis://valkey:6379', valkey.url],
        ['10.89.53.10:5300', `127.0.0.1:${await freePort()}`],
        ['10.89.53.20:5353', `127.0.0.1:${plan.port}`],
        ['0.0.0.0', '127.0.0.1'],
        ['/data/', `${folder}/`],
        ['/storage', plan.folder],
      ];
      const onLoopback = (text: string) => places.reduce((sum, [from, to]) => sum.replaceAll(from, to), text);
      const environment = Object.fromEntries(
        Object.entries(setup?.environment ?? {}).map(([name, value]) => [name, onLoopback(value)]),
      );
      const env = { PATH: process.env['PATH'], ...environment };
      for (let time = 0; time < 2; time += 1)
        execFileSync('sh', ['-ec', onLoopback(setup?.command?.[0] ?? '')], { env, stdio: 'pipe' });
      const service = startProcess({ ...environment, PORT: '0' });
      const client = api({ server: await addressOf(service) }, await firstKeyOf(service));
      const knot = new Nameserver(plan, [program('knotd') ?? 'knotd', '-c', join(folder, 'knot.conf')]);
      await knot.start();

      await registered(client, 'my-first-name.com');

      while (!(await knot.queryRrsets([{ name: 'my-first-name.com', type: 'SOA' }])).has('my-first-name.com SOA'))
        await sleep(50);
      service.signal('SIGTERM');
      expect((await service.ended).code).toBe(0);
      await Promise.all([knot.stop(), valkey.kill(), mysql.stop()]);
      rmSync(folder, { recursive: true });
    });
  },
);

describeOrSkip(missing('haproxy', 'openssl'))('the HAProxy example', () => {
  it('is accepted by haproxy -c', () => {
    const folder = mkdtempSync(join(tmpdir(), 'namewright-haproxy-'));
    const pem = join(folder, 'names.pem');
    createCertificate(folder);
    writeFileSync(
      pem,
      readFileSync(join(folder, 'fullchain.pem'), 'utf8') + readFileSync(join(folder, 'privkey.pem'), 'utf8'),
    );
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(
      file,
      readFileSync('ops/haproxy/namewright.cfg', 'utf8').replace('/etc/namewright/tls/names.example.com.pem', pem),
    );

    const { status, stderr } = spawnSync(program('haproxy') ?? '', ['-c', '-f', file], { encoding: 'utf8' });

    expect({ status, warnings: stderr.match(/WARNING.*/g) }).toEqual({ status: 0, warnings: null });
    rmSync(folder, { recursive: true });
  });
});

describe('the nginx example', () => {
  it('logs no query strings, which can hold a key, and no referrers', () => {
    const [format] = /log_format[^;]+;/.exec(readFileSync('ops/nginx/namewright.conf', 'utf8')) ?? [];

    expect(format).toContain('$uri');
    expect(format).not.toMatch(/\$(?:request|request_uri|args|query_string|http_referer)\b/);
  });
});

describeOrSkip(missing('nginx', 'openssl'))('the nginx example', () => {
  it('is accepted by nginx -t', () => {
    const folder = mkdtempSync(join(tmpdir(), 'namewright-nginx-'));
    createCertificate(folder);
    const example = readFileSync('ops/nginx/namewright.conf', 'utf8')
      .replaceAll('/etc/namewright/tls', folder)
      .replaceAll('/var/log/nginx', folder);
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, `pid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\n${example}\n}\n`);

    const { status, stderr } = spawnSync(program('nginx') ?? '', ['-t', '-q', '-c', file], { encoding: 'utf8' });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    rmSync(folder, { recursive: true });
  });
});

describeOrSkip(missing('systemd-analyze'))('the systemd units', () => {
  it('are valid, and exposed less than 2 of 10', () => {
    const folder = mkdtempSync(join(tmpdir(), 'namewright-systemd-'));
    cpSync('ops/systemd', folder, { recursive: true });
    const units = readdirSync(folder)
      .filter((name) => !name.endsWith('.example'))
      .map((name) => join(folder, name));
    const services = units.filter((name) => name.endsWith('.service'));

    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8' });
    const { status } = spawnSync('systemd-analyze', [
      'security',
      '--offline=true',
      '--threshold=20',
      '--no-pager',
      ...services,
    ]);

    expect(stderr.split('\n').filter((line) => line.includes(folder) || line.includes('namewright'))).toEqual([]);
    expect(services).toHaveLength(3);
    expect(status).toBe(0);
    rmSync(folder, { recursive: true });
  });
});

function createCertificate(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-subj',
      '/CN=names.example.com',
      '-days',
      '1',
      '-keyout',
      join(folder, 'privkey.pem'),
      '-out',
      join(folder, 'fullchain.pem'),
    ],
    { stdio: 'ignore' },
  );
}
