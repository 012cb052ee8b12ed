import { tsigNameOf, type Scope } from './api-key';
import type { KeyLimits } from './key-limits';

/** What a key is for. Each asks for as little as possible. */
export interface KeyPreset {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  /** A TSIG key signs DNS updates; an API key opens the REST API and the compatibility APIs. */
  readonly type: 'api' | 'tsig';
  readonly scope: Scope;
  readonly limits: (place: KeyPlace) => KeyLimits;
  /** Client configurations with the key. */
  readonly configurations: (key: PresetKey) => readonly ClientConfiguration[];
}

/** Where a key of a preset may be used. */
export interface KeyPlace {
  readonly domains: readonly string[];
  /** Relative to the domain; `@` is the domain itself. */
  readonly host: string | undefined;
}

export interface PresetKey extends KeyPlace {
  readonly keyId: string;
  /** As it is shown once. */
  readonly text: string;
  /** Base URL of the service. */
  readonly url: string;
}

export interface ClientConfiguration {
  readonly title: string;
  readonly text: string;
}

export const KEY_PRESETS: readonly KeyPreset[] = [
  {
    id: 'certificates',
    label: 'Certificates for a name (recommended)',
    hint: 'Only the TXT record _acme-challenge of the host; without a host, those of the whole domain.',
    type: 'tsig',
    scope: 'WRITE',
    limits: ({ domains, host }) => ({
      domains,
      names: host === undefined ? ['_acme-challenge', '_acme-challenge.**'] : [challengeName(host)],
      types: ['TXT'],
    }),
    configurations: (key) => [certbot(key), nsupdate(key, challengeName(key.host ?? '@'), '60 TXT "test"')],
  },
  {
    id: 'host',
    label: 'This router, or a host with a changing address',
    hint: 'Only the A and AAAA records of one name.',
    type: 'tsig',
    scope: 'WRITE',
    limits: ({ domains, host = '@' }) => ({ domains, names: [host], types: ['A', 'AAAA'] }),
    configurations: (key) => [nsupdate(key, key.host ?? '@', '60 A 192.0.2.7')],
  },
  {
    id: 'cluster',
    label: 'This cluster',
    hint: 'The A, AAAA, CNAME and TXT records of one domain, as external-dns writes them.',
    type: 'api',
    scope: 'WRITE',
    limits: ({ domains }) => ({ domains, types: ['A', 'AAAA', 'CNAME', 'TXT'], actions: ['read', 'write'] }),
    configurations: ({ domains, text, url }) => [
      {
        title: 'Arguments of external-dns',
        text: [
          '--provider=pdns',
          `--pdns-server=${url}/compat/powerdns`,
          `--pdns-api-key=${text}`,
          ...domains.map((domain) => `--domain-filter=${domain}`),
        ].join('\n'),
      },
    ],
  },
  {
    id: 'monitoring',
    label: 'Read only, for monitoring',
    hint: 'Reads the domain, its records and its publication, and changes nothing.',
    type: 'api',
    scope: 'READ',
    limits: ({ domains }) => ({ domains, actions: ['read'] }),
    configurations: ({ domains: [domain = ''], text, url }) => [
      {
        title: 'A request with curl',
        text: `curl -H 'Authorization: Bearer ${text}' ${url}/api/domains/by-name/${domain}`,
      },
    ],
  },
  {
    id: 'deploys',
    label: 'Deploys',
    hint: 'Reads and changes the records of the domains, and nothing else.',
    type: 'api',
    scope: 'WRITE',
    limits: ({ domains }) => ({ domains, actions: ['read', 'write'] }),
    configurations: ({ text, url }) => [
      {
        title: 'A request with curl; DOMAIN_ID is the id that GET /api/domains shows',
        text: `curl -H 'Authorization: Bearer ${text}' -H 'Content-Type: application/json' -d '{"type":"A","name":"www","content":"192.0.2.7"}' '${url}/api/domains/DOMAIN_ID/dns/records?wait=published'`,
      },
    ],
  },
  {
    id: 'zone',
    label: 'The whole zone, by dynamic updates',
    hint: 'All records of the domain, and zone transfers.',
    type: 'tsig',
    scope: 'WRITE',
    limits: ({ domains }) => ({ domains }),
    configurations: (key) => [certbot(key), nsupdate(key, 'www', '60 A 192.0.2.7')],
  },
];

function challengeName(host: string): string {
  return host === '@' ? '_acme-challenge' : `_acme-challenge.${host}`;
}

function certbot({ keyId, text }: PresetKey): ClientConfiguration {
  const [algorithm = '', , secret = ''] = text.split(':');
  return {
    title: 'Credentials of certbot',
    text: [
      'dns_rfc2136_server = SERVER',
      'dns_rfc2136_port = 53',
      `dns_rfc2136_name = ${tsigNameOf(keyId)}`,
      `dns_rfc2136_secret = ${secret}`,
      `dns_rfc2136_algorithm = ${algorithm.toUpperCase()}`,
    ].join('\n'),
  };
}

function nsupdate({ domains: [domain = ''], text }: PresetKey, name: string, record: string): ClientConfiguration {
  const owner = name === '@' ? domain : `${name}.${domain}`;
  return {
    title: 'A test with nsupdate',
    text: `printf '%s\\n' "server SERVER 53" "zone ${domain}" 'update add ${owner} ${record}' send | nsupdate -v -y '${text}'`,
  };
}
