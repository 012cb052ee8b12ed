import type { KeyLimits } from '../../../domain/access/key-limits';
import { fullName } from '../../../domain/dns/records/record-name';

/** The parts of an API key, for clients that ask for a user and a password. */
export interface KeyParts {
  readonly keyId: string;
  readonly secret: string;
}

const CHALLENGE = /^_acme-challenge(?:\.(.+))?$/;

/** The names for which a key may change the challenge of certificates. Patterns name none. */
export function certificateNames(limits: KeyLimits | null): readonly string[] {
  if (!mayChange(limits, 'TXT')) return [];
  return namesIn(limits, (name) => {
    const match = CHALLENGE.exec(name);
    return match ? (match[1] ?? '@') : undefined;
  });
}

/** The hosts whose addresses a key may change, if it is for addresses only. Patterns name none. */
export function hostNames(limits: KeyLimits | null): readonly string[] {
  if (!limits?.types?.every((type) => type === 'A' || type === 'AAAA')) return [];
  return namesIn(limits, (name) => name);
}

/** The storage file of acme-dns clients, with which they register no account. */
export function acmeDnsStorage(url: string, names: readonly string[], { keyId, secret }: KeyParts): string {
  const accounts = names.map((name) => [
    name,
    {
      fulldomain: `_acme-challenge.${name}`,
      subdomain: name,
      username: keyId,
      password: secret,
      server_url: `${url}/compat/acme-dns`,
      allowfrom: [],
    },
  ]);
  return JSON.stringify(Object.fromEntries(accounts), undefined, 2);
}

/** The environment of lego's provider httpreq. */
export function httpReqEnvironment(url: string, { keyId, secret }: KeyParts): string {
  return [`HTTPREQ_ENDPOINT=${url}/compat/httpreq`, `HTTPREQ_USERNAME=${keyId}`, `HTTPREQ_PASSWORD=${secret}`].join(
    '\n',
  );
}

export function ddclientConfiguration(url: string, hosts: readonly string[], { keyId, secret }: KeyParts): string {
  const { host, protocol } = new URL(url);
  return [
    `ssl=${protocol === 'https:' ? 'yes' : 'no'}`,
    'protocol=dyndns2',
    `server=${host}`,
    'use=web',
    `login=${keyId}`,
    `password='${secret}'`,
    hosts.join(','),
  ].join('\n');
}

/** For routers that ask for a URL, with the placeholders of a FRITZ!Box. */
export function routerUrl(url: string, hosts: readonly string[]): string {
  return `${url}/nic/update?hostname=${hosts.join(',')}&myip=<ipaddr>&myipv6=<ip6addr>`;
}

function mayChange(limits: KeyLimits | null, type: string): boolean {
  return limits?.types?.includes(type) ?? true;
}

function namesIn(limits: KeyLimits | null, toName: (name: string) => string | undefined): readonly string[] {
  const { domains = [], names = [] } = limits ?? {};
  return domains.flatMap((domain) =>
    names.flatMap((name) => {
      const relative = name.includes('*') ? undefined : toName(name);
      return relative === undefined ? [] : [fullName(relative, domain)];
    }),
  );
}
