import type { KeyLimits } from '../../../domain/access/key-limits';
import { fullOwnerName } from '../../../domain/dns/records/record-name';

/** Part of a configuration of a program, finished for a key. */
export interface ClientConfiguration {
  readonly title: string;
  readonly text: string;
}

/** A new API key, as its programs are configured with it. */
export interface ClientKey {
  readonly keyId: string;
  /** The complete key, which is shown once. */
  readonly text: string;
  /** Base URL of the service. */
  readonly url: string;
  /** The compatibility APIs that are switched on. */
  readonly apis: readonly string[];
  /** Where the service takes DNS updates; undefined if that is not known here. */
  readonly server?: UpdateServer | undefined;
}

export interface UpdateServer {
  readonly host: string;
  readonly port: number;
}

const CHALLENGE = /^_acme-challenge(?:\.(.+))?$/;

/** Configurations of certificate clients and routers, for an API key that is limited to what they change. Patterns name nothing. */
export function clientConfigurations(limits: KeyLimits | null, key: ClientKey): readonly ClientConfiguration[] {
  const names = certificateNames(limits);
  const hosts = hostNames(limits);
  const has = (api: string, items: readonly string[]) => items.length > 0 && key.apis.includes(api);
  return [
    ...(has('httpreq', names) ? [httpReqEnvironment(key)] : []),
    ...(has('acme-dns', names) ? [acmeDnsStorage(key, names)] : []),
    ...(has('dyndns', hosts) ? [routerSettings(key, hosts), ddclientConfiguration(key, hosts)] : []),
  ];
}

function certificateNames(limits: KeyLimits | null): readonly string[] {
  if (limits?.types && !limits.types.includes('TXT')) return [];
  return namesIn(limits, (name) => {
    const match = CHALLENGE.exec(name);
    return match ? (match[1] ?? '@') : undefined;
  });
}

function hostNames(limits: KeyLimits | null): readonly string[] {
  if (!limits?.types?.every((type) => type === 'A' || type === 'AAAA')) return [];
  return namesIn(limits, (name) => name);
}

function namesIn(limits: KeyLimits | null, toName: (name: string) => string | undefined): readonly string[] {
  const { domains = [], names = [] } = limits ?? {};
  return domains.flatMap((domain) =>
    names.flatMap((name) => {
      const relative = name.includes('*') ? undefined : toName(name);
      return relative === undefined ? [] : [fullOwnerName(relative, domain)];
    }),
  );
}

function httpReqEnvironment({ url, keyId, text }: ClientKey): ClientConfiguration {
  return {
    title: 'Environment of lego (--dns httpreq)',
    text: [
      `HTTPREQ_ENDPOINT=${url}/compat/httpreq`,
      `HTTPREQ_USERNAME=${keyId}`,
      `HTTPREQ_PASSWORD=${secretOf(text)}`,
    ].join('\n'),
  };
}

/** With it, a client registers no account. */
function acmeDnsStorage({ url, keyId, text }: ClientKey, names: readonly string[]): ClientConfiguration {
  const accounts = names.map((name) => [
    name,
    {
      fulldomain: `_acme-challenge.${name}`,
      subdomain: name,
      username: keyId,
      password: secretOf(text),
      server_url: `${url}/compat/acme-dns`,
      allowfrom: [],
    },
  ]);
  return {
    title: 'Storage file of acme-dns clients',
    text: JSON.stringify(Object.fromEntries(accounts), undefined, 2),
  };
}

/** The URL has the placeholders of a FRITZ!Box. */
function routerSettings({ url, keyId, text }: ClientKey, hosts: readonly string[]): ClientConfiguration {
  return {
    title: 'Router: update URL, user name, password',
    text: [`${url}/nic/update?hostname=${hosts.join(',')}&myip=<ipaddr>&myipv6=<ip6addr>`, keyId, secretOf(text)].join(
      '\n',
    ),
  };
}

function ddclientConfiguration({ url, keyId, text }: ClientKey, hosts: readonly string[]): ClientConfiguration {
  const { host, protocol } = new URL(url);
  return {
    title: 'ddclient.conf',
    text: [
      `ssl=${protocol === 'https:' ? 'yes' : 'no'}`,
      'protocol=dyndns2',
      `server=${host}`,
      'use=web',
      `login=${keyId}`,
      `password='${secretOf(text)}'`,
      hosts.join(','),
    ].join('\n'),
  };
}

function secretOf(text: string): string {
  return text.slice(text.indexOf('.') + 1);
}
