import { tsigNameOf, type Scope } from '../../../domain/access/api-key';
import type { KeyLimits } from '../../../domain/access/key-limits';
import { fullOwnerName } from '../../../domain/dns/records/record-name';
import { parseZoneName } from '../../../domain/dns/zone-names/zone-name';
import { parseTags } from '../../../domain/shared/tags';
import { ValidationError } from '../../../domain/shared/validation-error';
import { clientConfigurations, type ClientConfiguration, type ClientKey } from './client-configurations';

/** What a key is for. Each asks for as little as possible. */
export interface KeyPreset {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  /** A TSIG key signs DNS updates; an API key opens the REST API and the compatibility APIs. */
  readonly type: 'api' | 'tsig';
  readonly scope: Scope;
  /** It needs one of these compatibility APIs; absent if it needs none. */
  readonly apis?: readonly string[];
  readonly needsHost?: true;
  readonly takesSeveralDomains?: true;
  readonly limits: (place: KeyPlace) => KeyLimits;
  /** Client configurations with the key. */
  readonly configurations: (key: KeyPlace & ClientKey) => readonly ClientConfiguration[];
}

/** Where a key of a preset may be used. */
interface KeyPlace {
  readonly domains: readonly string[];
  /** In place of domains: all that have one of these tags. */
  readonly tags?: readonly string[];
  /** Relative to the domain; `@` is the domain itself. */
  readonly host: string | undefined;
}

const TAG = 'tag:';
const DNS_PORT = 53;
const MAX_KEY_NAME = 100;

const KEY_PRESETS: readonly KeyPreset[] = [
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
    id: 'certificates-https',
    label: 'Certificates for a name, over HTTPS',
    hint: 'The same for clients that speak httpreq or acme-dns. Without a host, only the domain itself.',
    type: 'api',
    scope: 'WRITE',
    apis: ['httpreq', 'acme-dns'],
    limits: limitsForChallenge,
    configurations: (key) => clientConfigurations(limitsForChallenge(key), key),
  },
  {
    id: 'router',
    label: 'This router',
    hint: 'Only the A and AAAA records of one name, by DynDNS2 (FRITZ!Box, ddclient, inadyn).',
    type: 'api',
    scope: 'WRITE',
    apis: ['dyndns'],
    needsHost: true,
    limits: (place) => ({ ...limitsForAddresses(place), actions: ['read', 'write'] }),
    configurations: (key) => clientConfigurations(limitsForAddresses(key), key),
  },
  {
    id: 'host',
    label: 'A host with a changing address',
    hint: 'Only the A and AAAA records of one name, by dynamic updates (nsupdate, DHCP servers).',
    type: 'tsig',
    scope: 'WRITE',
    needsHost: true,
    limits: limitsForAddresses,
    configurations: (key) => [nsupdate(key, key.host ?? '@', '60 A 192.0.2.7')],
  },
  {
    id: 'cluster',
    label: 'This cluster',
    hint: 'The A, AAAA, CNAME and TXT records of one domain, as external-dns writes them.',
    type: 'api',
    scope: 'WRITE',
    apis: ['powerdns'],
    limits: ({ domains }) => ({ domains, types: ['A', 'AAAA', 'CNAME', 'TXT'], actions: ['read', 'write'] }),
    configurations: ({ domains, text, url }) => [
      {
        title: 'Arguments of external-dns',
        text: [
          '--provider=pdns',
          `--pdns-server=${url}/compat/powerdns`,
          `--pdns-api-key=${text}`,
          ...domains.map((domain) => `--domain-filter=${domain}`),
          // Without these, its TXT records of a CNAME, of the domain itself and of a wildcard have names that are refused.
          '--txt-prefix=%{record_type}-_owner.',
          '--txt-wildcard-replacement=wildcard',
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
    takesSeveralDomains: true,
    limits: (place) => ({ ...limitsForDomains(place), actions: ['read'] }),
    configurations: ({ domains: [domain], text, url }) => [
      {
        title: 'A request with curl',
        text: `curl -H 'Authorization: Bearer ${text}' ${url}/api/domains${domain === undefined ? '' : `/by-name/${domain}`}`,
      },
    ],
  },
  {
    id: 'deploys',
    label: 'Deploys',
    hint: 'Reads and changes the records of the domains, and nothing else.',
    type: 'api',
    scope: 'WRITE',
    takesSeveralDomains: true,
    limits: (place) => ({ ...limitsForDomains(place), actions: ['read', 'write'] }),
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

/** The presets whose clients find an API that is switched on. */
export function presetsFor(apis: readonly string[]): readonly KeyPreset[] {
  return KEY_PRESETS.filter((preset) => preset.apis?.some((each) => apis.includes(each)) ?? true);
}

/**
 * Validates where a key of a preset is to be used.
 * @param places names of domains, or `tag:NAME` for all domains with a tag @throws ValidationError
 */
export function parseKeyPlace(preset: KeyPreset, places: readonly string[], record: string): KeyPlace {
  if (places.length === 0) throw ValidationError.of('domain', 'must be a domain name');
  const tags = places.filter((each) => each.startsWith(TAG)).map((each) => each.slice(TAG.length));
  if ((places.length > 1 || tags.length > 0) && !preset.takesSeveralDomains)
    throw ValidationError.of('domain', 'must be one domain for this purpose');
  if (tags.length > 0 && tags.length < places.length)
    throw ValidationError.of('domain', 'must be domains or tags, not both');
  const host = record.trim();
  if (preset.needsHost && host === '') throw ValidationError.of('record', 'must be the name of the host');
  return {
    domains: tags.length > 0 ? [] : places.map((each) => parseZoneName(each, 'domain')),
    ...(tags.length > 0 && { tags: parseTags(tags, 'domain') }),
    host: host === '' ? undefined : host.toLowerCase(),
  };
}

function limitsForDomains({ domains, tags }: KeyPlace): KeyLimits {
  return tags ? { tags } : { domains };
}

function limitsForChallenge({ domains, host = '@' }: KeyPlace): KeyLimits {
  return { domains, names: [challengeName(host)], types: ['TXT'], actions: ['read', 'write'] };
}

function limitsForAddresses({ domains, host = '@' }: KeyPlace): KeyLimits {
  return { domains, names: [host], types: ['A', 'AAAA'] };
}

function challengeName(host: string): string {
  return host === '@' ? '_acme-challenge' : `_acme-challenge.${host}`;
}

/** For a key without a name: what it is for, and where. */
export function nameOfKey({ label }: KeyPreset, { domains, tags = [], host }: KeyPlace): string {
  const places = [...domains.map((domain) => (host === undefined ? domain : fullOwnerName(host, domain))), ...tags];
  return `${label.replace(' (recommended)', '')}: ${places.join(', ')}`.slice(0, MAX_KEY_NAME);
}

function certbot({ keyId, text, server }: ClientKey): ClientConfiguration {
  const [algorithm = '', , secret = ''] = text.split(':');
  return {
    title: 'Credentials of certbot',
    text: [
      `dns_rfc2136_server = ${server?.host ?? 'SERVER'}`,
      `dns_rfc2136_port = ${server?.port ?? DNS_PORT}`,
      `dns_rfc2136_name = ${tsigNameOf(keyId)}`,
      `dns_rfc2136_secret = ${secret}`,
      `dns_rfc2136_algorithm = ${algorithm.toUpperCase()}`,
    ].join('\n'),
  };
}

function nsupdate(
  { domains: [domain = ''], text, server }: KeyPlace & ClientKey,
  name: string,
  record: string,
): ClientConfiguration {
  const owner = name === '@' ? domain : `${name}.${domain}`;
  return {
    title: 'A test with nsupdate',
    text: `printf '%s\\n' "server ${server?.host ?? 'SERVER'} ${server?.port ?? DNS_PORT}" "zone ${domain}" 'update add ${owner} ${record}' send | nsupdate -v -y '${text}'`,
  };
}
