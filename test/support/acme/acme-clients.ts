import { execFile, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Pebble } from './pebble';

/** An order of a certificate for `domain` and its wildcard. */
export interface CertificateOrder {
  readonly pebble: Pebble;
  /** Each run has its own folder in it. */
  readonly folder: string;
  readonly domain: string;
}

/** Dynamic updates (RFC 2136) with a TSIG key. */
export interface DynamicUpdates {
  readonly address: string;
  readonly port: number;
  readonly keyName: string;
  readonly secret: string;
}

/** An API key, for the APIs under `url`. */
export interface HttpAccess {
  readonly url: string;
  /** The complete key, and its parts. */
  readonly key: string;
  readonly keyId: string;
  readonly secret: string;
  /** A DNS server that answers SOA queries. */
  readonly resolver: string;
}

/** The bundle that libcurl trusts on Debian; uacme has no option for another. */
const SYSTEM_CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const DEHYDRATED_HOOK = '/usr/share/dehydrated-hook-ddns-tsig/dehydrated-hook-ddns-tsig.py';

/** A program that waits for something is ended, so that its output shows for what. */
const TIMEOUT_MS = 150_000;

const exec = promisify(execFile);

export async function issueWithCertbot(order: CertificateOrder, updates: DynamicUpdates): Promise<X509Certificate> {
  const folder = runFolder(order);
  const credentials = secretFile(folder, 'rfc2136.ini', [
    `dns_rfc2136_server = ${updates.address}`,
    `dns_rfc2136_port = ${updates.port}`,
    `dns_rfc2136_name = ${updates.keyName}`,
    `dns_rfc2136_secret = ${updates.secret}`,
    'dns_rfc2136_algorithm = HMAC-SHA256',
  ]);
  await run(folder, 'certbot', [
    ...words('certonly --non-interactive --agree-tos --email ada@example.com --no-verify-ssl --dns-rfc2136'),
    ...words(`--server ${order.pebble.directory} --dns-rfc2136-credentials ${credentials}`),
    ...words('--dns-rfc2136-propagation-seconds 0'),
    ...words(`--config-dir ${folder}/config --work-dir ${folder}/work --logs-dir ${folder}/logs`),
    ...words(`-d ${order.domain} -d *.${order.domain}`),
  ]);
  return certificateIn(folder, 'config', 'live', order.domain, 'cert.pem');
}

export function issueWithLegoRfc2136(
  order: CertificateOrder,
  { address, port, keyName, secret }: DynamicUpdates,
): Promise<X509Certificate> {
  return issueWithLego(
    order,
    'rfc2136',
    {
      RFC2136_NAMESERVER: `${address}:${port}`,
      RFC2136_TSIG_ALGORITHM: 'hmac-sha256.',
      RFC2136_TSIG_KEY: keyName,
      RFC2136_TSIG_SECRET: secret,
      RFC2136_SEQUENCE_INTERVAL: '0',
    },
    `${address}:${port}`,
  );
}

export function issueWithLegoHttpReq(
  order: CertificateOrder,
  { url, keyId, secret, resolver }: HttpAccess,
  mode: '' | 'RAW' = '',
): Promise<X509Certificate> {
  const settings = {
    HTTPREQ_ENDPOINT: `${url}/compat/httpreq`,
    HTTPREQ_USERNAME: keyId,
    HTTPREQ_PASSWORD: secret,
    HTTPREQ_MODE: mode,
  };
  return issueWithLego(order, 'httpreq', settings, resolver);
}

/** The PowerDNS API. */
export function issueWithLegoPdns(
  order: CertificateOrder,
  { url, key, resolver }: HttpAccess,
): Promise<X509Certificate> {
  return issueWithLego(order, 'pdns', { PDNS_API_URL: `${url}/compat/powerdns`, PDNS_API_KEY: key }, resolver);
}

/** Debian's lego has no acme-dns provider; its provider `exec` runs curl here. */
export function issueWithLegoAcmeDns(
  order: CertificateOrder,
  { url, keyId, secret, resolver }: HttpAccess,
): Promise<X509Certificate> {
  const script = secretFile(runFolder(order), 'acme-dns.sh', [
    '#!/bin/sh',
    '[ "$1" = present ] || exit 0',
    `exec curl --fail --silent ${url}/compat/acme-dns/update -H 'X-Api-User: ${keyId}' -H 'X-Api-Key: ${secret}' \\`,
    `  --data "{\\"subdomain\\": \\"${order.domain}\\", \\"txt\\": \\"$3\\"}"`,
  ]);
  chmodSync(script, 0o700);
  return issueWithLego(order, 'exec', { EXEC_PATH: script, EXEC_SEQUENCE_INTERVAL: '0' }, resolver);
}

/**
 * @param settings the environment of the DNS provider
 * @param resolver a DNS server that lego asks for SOA records
 */
async function issueWithLego(
  order: CertificateOrder,
  provider: string,
  settings: Record<string, string>,
  resolver: string,
): Promise<X509Certificate> {
  const folder = runFolder(order);
  const options = [
    ...words(`--accept-tos --email ada@example.com --server ${order.pebble.directory} --path ${folder}`),
    ...words(`--dns ${provider} --dns.disable-cp --dns.resolvers ${resolver}`),
    ...words(`--domains ${order.domain} --domains *.${order.domain} run`),
  ];
  await run(folder, 'lego', options, { LEGO_CA_CERTIFICATES: order.pebble.certificateFile, ...settings });
  return certificateIn(folder, 'certificates', `${order.domain}.crt`);
}

/** Why uacme cannot run: it only trusts the certificates of the system, which are replaced in a mount namespace. */
export function mountNamespacesMissing(): string | undefined {
  const { status } = spawnSync('unshare', ['--map-root-user', '--mount', 'true']);
  return status === 0 ? undefined : 'mount namespaces are not allowed here';
}

/** Its hook is the one of docs/clients/acme.md. */
export async function issueWithUacme(order: CertificateOrder, updates: DynamicUpdates): Promise<X509Certificate> {
  const folder = runFolder(order);
  const key = secretFile(folder, 'tsig.key', [
    `key "${updates.keyName}" { algorithm hmac-sha256; secret "${updates.secret}"; };`,
  ]);
  const hook = secretFile(folder, 'hook.sh', [
    '#!/bin/sh',
    '[ "$2" = dns-01 ] || exit 1',
    'case "$1" in',
    '  begin) change="add _acme-challenge.$3. 60 TXT \\"$5\\"" ;;',
    '  *) change="delete _acme-challenge.$3. TXT \\"$5\\"" ;;',
    'esac',
    `printf '%s\\n' "server ${updates.address} ${updates.port}" "update $change" send | nsupdate -v -k ${key}`,
  ]);
  chmodSync(hook, 0o700);
  const uacme = `uacme --confdir ${folder} --acme-url ${order.pebble.directory} --yes --no-ocsp --type EC`;
  const script = [
    `mount --bind ${order.pebble.certificateFile} ${SYSTEM_CERTIFICATES}`,
    `${uacme} new ada@example.com`,
    `${uacme} --hook ${hook} issue ${order.domain} '*.${order.domain}'`,
  ];
  await run(folder, 'unshare', ['--map-root-user', '--mount', 'sh', '-c', script.join(' && ')]);
  return certificateIn(folder, order.domain, 'cert.pem');
}

/** The hook sends its updates to port 53, over UDP. */
export async function issueWithDehydrated(
  order: CertificateOrder,
  { address, keyName, secret }: Omit<DynamicUpdates, 'port'>,
): Promise<X509Certificate> {
  const folder = runFolder(order);
  secretFile(folder, 'dehydrated-hook-ddns-tsig.conf', [
    '[DEFAULT]',
    `name_server_ip = ${address}`,
    'wait = -1',
    `key_name = ${keyName}`,
    `key_secret = ${secret}`,
    'key_algorithm = hmac-sha256',
  ]);
  const config = secretFile(folder, 'config', [
    `CA="${order.pebble.directory}"`,
    `CURL_OPTS="--cacert ${order.pebble.certificateFile}"`,
    `BASEDIR=${folder}`,
    'CHALLENGETYPE=dns-01',
    // Of the account's key; with the default of 4,096 bits, making it takes longer than the certificate.
    'KEYSIZE=2048',
    `HOOK=${DEHYDRATED_HOOK}`,
  ]);
  await run(folder, 'dehydrated', ['--config', config, '--register', '--accept-terms']);
  await run(
    folder,
    'dehydrated',
    words(`--config ${config} --cron --domain ${order.domain} --domain *.${order.domain}`),
  );
  return certificateIn(folder, 'certs', order.domain, 'cert.pem');
}

/** @throws Error with everything that the program printed */
async function run(
  folder: string,
  program: string,
  options: readonly string[],
  environment: Record<string, string> = {},
): Promise<void> {
  const env = { PATH: `/usr/sbin:/usr/bin:/sbin:/bin:${process.env['PATH']}`, HOME: folder, ...environment };
  try {
    await exec(program, [...options], { cwd: folder, env, timeout: TIMEOUT_MS });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} failed: ${stdout}\n${stderr}`, { cause: error });
  }
}

function runFolder({ folder, domain }: CertificateOrder): string {
  return mkdtempSync(join(folder, `${domain}-`));
}

function secretFile(folder: string, name: string, lines: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}

function certificateIn(...path: readonly string[]): X509Certificate {
  return new X509Certificate(readFileSync(join(...path)));
}

function words(text: string): string[] {
  return text.split(' ');
}
