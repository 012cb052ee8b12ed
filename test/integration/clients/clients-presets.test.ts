import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { parseKeyPlace, presetsFor } from '../../../src/application/access/key-presets/key-presets';
import { ValidationError } from '../../../src/domain/shared/validation-error';
import { OPERATOR } from '../../../src/domain/access/actor';
import { describeOrSkip } from '../../support/describe-or-skip';
import { freePort } from '../../support/free-port';
import { missing } from '../../support/nameservers/nameserver';
import { api, hosted, registered, startService, type Api, type TestService } from '../../support/service/service';
import { startTlsProxy, type TlsProxy } from '../../support/service/tls-proxy';

const ZONE = 'for-programs.com';
const APIS = ['powerdns', 'external-dns', 'dyndns', 'httpreq', 'acme-dns'];

describeOrSkip(missing('nsupdate', 'curl', 'ddclient'))('the configurations that presets of keys print', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-presets-'));
  let service: TestService;
  let proxy: TlsProxy;
  let client: Api;
  let account: string;
  let domainId: string;

  beforeAll(async () => {
    const settings = { COMPATIBILITY_APIS: APIS.join(','), DNS_LISTEN: `127.0.0.1:${await freePort()}` };
    service = await startService({ ...settings, TRUST_PROXY: 'loopback' });
    account = await service.account();
    client = api(service, await service.key(account));
    domainId = await registered(client, ZONE);
    proxy = await startTlsProxy(folder, service.server);
  });

  afterAll(async () => {
    await proxy.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the preset prints for a new key, by the title. Its placeholder for the DNS server is filled in. */
  const printed = async (presetId: string, record = '', domain = ZONE): Promise<ReadonlyMap<string, string>> => {
    const preset = presetsFor(APIS).find(({ id }) => id === presetId);
    if (!preset) throw new Error(`no preset ${presetId}`);
    const place = parseKeyPlace(preset, [domain], record);
    const { type, scope } = preset;
    const command = { accountId: account, actor: OPERATOR, name: presetId, scope, limits: preset.limits(place) };
    const issuer = service.container.get(IssueApiKey);
    const { key, text } = await (type === 'tsig' ? issuer.executeTsig(command) : issuer.execute(command));
    const { keyId } = key.toState();
    const server = `${service.dns?.address} ${service.dns?.port}`;
    return new Map(
      preset
        .configurations({ ...place, keyId, text, url: `https://${proxy.host}`, apis: APIS })
        .map((each) => [each.title, each.text.replace('SERVER 53', server)]),
    );
  };

  const shell = async (script: string): Promise<string> => {
    const env = { PATH: `/usr/sbin:/usr/bin:/sbin:/bin:${process.env['PATH']}`, HOME: folder };
    const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script], {
      env: { ...env, CURL_CA_BUNDLE: proxy.certificateFile },
    });
    return stdout;
  };

  const contents = async (name: string, path = `/api/domains/${domainId}`): Promise<readonly string[]> => {
    const { body } = await client.get(`${path}/dns/records?name=${name}`).expect(200);
    return (body as { type: string; content: string }[]).map(({ type, content }) => `${type} ${content}`);
  };

  it.each([
    ['certificates', 'shop', '_acme-challenge.shop', 'TXT test'],
    ['host', 'attic', 'attic', 'A 192.0.2.7'],
    ['zone', '', 'www', 'A 192.0.2.7'],
  ])('nsupdate writes a record with the key of "%s"', async (preset, record, name, content) => {
    await shell((await printed(preset, record)).get('A test with nsupdate') ?? '');

    expect(await contents(name)).toEqual([content]);
  });

  it('the credentials of certbot name the same key as the test with nsupdate', async () => {
    const texts = await printed('certificates', 'blog');
    const settings = new Map(
      (texts.get('Credentials of certbot') ?? '').split('\n').map((line) => line.split(' = ') as [string, string]),
    );

    const [algorithm, name, secret] = ['algorithm', 'name', 'secret'].map((each) =>
      settings.get(`dns_rfc2136_${each}`),
    );
    expect(texts.get('A test with nsupdate')).toContain(`-y '${algorithm?.toLowerCase()}:${name}:${secret}'`);
  });

  it('curl reads the domain with the key of "monitoring", and adds a record with that of "deploys"', async () => {
    const [reading = ''] = (await printed('monitoring')).values();
    const [adding = ''] = (await printed('deploys')).values();

    expect(JSON.parse(await shell(reading))).toMatchObject({ id: domainId, name: ZONE });
    expect(JSON.parse(await shell(adding.replace('DOMAIN_ID', domainId).replace('"www"', '"app"')))).toMatchObject({
      name: 'app',
    });
    expect(await contents('app')).toEqual(['A 192.0.2.7']);
  });

  it('curl lists the domains with a tag, with the key of "monitoring" for that tag', async () => {
    await registered(client, 'untagged.com');
    await client.put(`/api/domains/${domainId}/tags`, { tags: ['live'] }).expect(200);
    const [listing = ''] = (await printed('monitoring', '', 'tag:live')).values();

    expect(JSON.parse(await shell(listing))).toMatchObject([{ name: ZONE }]);
    await expect(printed('router', 'home', 'tag:live')).rejects.toThrow(ValidationError);
  });

  it('the arguments of external-dns open the PowerDNS API, for a hosted zone, and give its TXT records valid names', async () => {
    const zone = 'for-cluster.example';
    const path = await hosted(client, zone);
    const lines = ((await printed('cluster', '', zone)).get('Arguments of external-dns') ?? '').split('\n');
    const value = (name: string): string => lines.find((line) => line.startsWith(`--${name}=`))?.split('=')[1] ?? '';

    const zones = `${value('pdns-server')}/api/v1/servers/localhost/zones`;
    const found = JSON.parse(await shell(`curl --fail --silent -H 'X-API-Key: ${value('pdns-api-key')}' ${zones}`));
    expect(found).toMatchObject([{ name: `${value('domain-filter')}.` }]);
    const prefix = value('txt-prefix').replace('%{record_type}', 'cname');
    const names = ['', 'shop.', `${value('txt-wildcard-replacement')}.`].map((host) => `${prefix}${host}${zone}.`);
    const records = [{ content: '"heritage=external-dns"', disabled: false }];
    const rrsets = names.map((name) => ({ name, type: 'TXT', ttl: 300, changetype: 'REPLACE', records }));
    await shell(
      `curl --fail --silent -X PATCH -H 'X-API-Key: ${value('pdns-api-key')}' -d '${JSON.stringify({ rrsets })}' ${zones}/${zone}.`,
    );
    expect(await contents('cname-_owner.shop', path)).toEqual(['TXT heritage=external-dns']);
  });

  it('the environment of lego and the storage file of acme-dns clients open challenges of the name', async () => {
    const texts = await printed('certificates-https', 'mail');
    const value = 'v'.repeat(43);
    const fqdn = `_acme-challenge.mail.${ZONE}.`;
    const [[, stored] = ['', {}]] = Object.entries(
      JSON.parse(texts.get('Storage file of acme-dns clients') ?? '{}') as Record<string, Record<string, string>>,
    );

    await shell(
      [
        texts.get('Environment of lego (--dns httpreq)'),
        `curl --fail --silent -u "$HTTPREQ_USERNAME:$HTTPREQ_PASSWORD" -H 'Content-Type: application/json' \\`,
        `  -d '{"fqdn": "${fqdn}", "value": "${value}"}' $HTTPREQ_ENDPOINT/present`,
      ].join('\n'),
    );
    await shell(
      `curl --fail --silent -H 'X-Api-User: ${stored?.['username']}' -H 'X-Api-Key: ${stored?.['password']}' \\
        -d '{"subdomain": "${stored?.['subdomain']}", "txt": "${'w'.repeat(43)}"}' ${stored?.['server_url']}/update`,
    );

    expect(await contents('_acme-challenge.mail')).toEqual([`TXT ${value}`, `TXT ${'w'.repeat(43)}`]);
  });

  it('ddclient and a router set the address of the host', async () => {
    const texts = await printed('router', 'home');
    const file = join(folder, 'ddclient.conf');
    // Without Internet access, ddclient cannot ask a page for its address.
    const text = (texts.get('ddclient.conf') ?? '').replace('use=web', "use=cmd\ncmd='echo 192.0.2.8'");
    writeFileSync(file, `ssl_ca_file=${proxy.certificateFile}\n${text}\n`, { mode: 0o600 });

    await shell(`ddclient -daemon=0 -force -file ${file} -cache ${join(folder, 'ddclient.cache')}`);
    expect(await contents('home')).toEqual(['A 192.0.2.8']);

    const [url = '', user, password] = [...texts.values()][0]?.split('\n') ?? [];
    const address = url.replace('<ipaddr>', '192.0.2.9').replace('<ip6addr>', '2001:db8::9');
    expect(await shell(`curl --fail --silent -u '${user}:${password}' '${address}'`)).toMatch(/^good /);
    expect(await contents('home')).toEqual(['A 192.0.2.9', 'AAAA 2001:db8::9']);
  });
});
