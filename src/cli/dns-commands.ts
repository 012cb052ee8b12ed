import type { AddSecondary } from '../application/dns/publishing/add-secondary';
import type { CreateTsigKey } from '../application/dns/publishing/create-tsig-key';
import type { RaiseVersions } from '../application/dns/publishing/raise-versions';
import type { Clock } from '../application/ports/system/clock';
import type { SecondaryDirectory, TsigKeyFacts } from '../application/ports/dns/secondary-directory';
import {
  requireEndpoint,
  endpointText,
  isWildcardAddress,
  type Endpoint,
  type Secondary,
} from '../domain/dns/secondary';
import { ValidationError } from '../domain/shared/validation-error';
import { table, type Answer, type CommandSpec, type Options } from './command-spec';
import { knotConfig } from './knot-config';
import type { NameserverSetup } from './nameserver-setup';
import { powerdnsSetup } from './powerdns-setup';

export const DNS_USAGE = `  dns tsig create NAME [--algorithm hmac-sha256|hmac-sha384|hmac-sha512]
                                        makes a key for secondaries and prints it, this once, as dig -y takes it
  dns tsig list                         name, algorithm, state and creation of each key
  dns tsig revoke NAME                  revokes a key; it opens nothing from the next message on
  dns secondary add NAME ADDRESS [--key NAME] [--signs]
                                        a nameserver that pulls the zones: its IP address, with port if not 53;
                                        --signs for one that signs them (DNSSEC) under serials of its own
  dns secondary list                    name, address, key, kind and creation of each secondary
  dns secondary remove NAME             tells a secondary of nothing more, and gives it nothing if its key is no other's
  dns knot-config [--secondary NAME] [--primary ADDRESS]... [--dir DIR]
                                        prints a knot.conf for a secondary; --primary: the address and port at
                                        which it reaches this service, once for each replica
  dns pdns-config [--secondary NAME] [--primary ADDRESS]... [--dir DIR]
                                        prints a script that sets up PowerDNS for a secondary
  dns raise-versions                    after a back-up was restored: lifts every zone past what secondaries remember`;

/** What the commands about nameservers ask for. */
export interface DnsServices {
  readonly directory: Pick<SecondaryDirectory, 'keys' | 'findKey' | 'revokeKey' | 'all' | 'remove'>;
  readonly createTsigKey: Pick<CreateTsigKey, 'execute'>;
  readonly addSecondary: Pick<AddSecondary, 'execute'>;
  readonly raiseVersions: Pick<RaiseVersions, 'execute'>;
  readonly clock: Clock;
  readonly catalogZone: string;
  /** Where we listen; undefined where we do not. */
  readonly primary: Endpoint | undefined;
}

const DNS_PORT = 53;
const NONE = { required: [], optional: [] } as const;
const SETUP_OPTIONS = ['secondary', 'primary', 'dir'] as const;

export const DNS_COMMANDS: Readonly<Record<string, CommandSpec<{ readonly dns: DnsServices }>>> = {
  'dns tsig create': {
    required: [],
    optional: ['algorithm'],
    operands: ['NAME'],
    prepare:
      ({ algorithm = 'hmac-sha256' }, name = '') =>
      async ({ dns }) => {
        const key = await dns.createTsigKey.execute({ name, algorithm });
        const secret = key.secret.toString('base64');
        return {
          json: { name: key.name, algorithm: key.algorithm, secret },
          text: `${key.algorithm}:${key.name}:${secret}`,
        };
      },
  },
  'dns tsig list': {
    ...NONE,
    prepare:
      () =>
      async ({ dns }) => {
        const keys = (await dns.directory.keys()).map(presentTsigKey);
        return {
          json: keys,
          text: table(keys.map(({ name, algorithm, state, created_at }) => [algorithm, state, created_at, name])),
        };
      },
  },
  'dns tsig revoke': {
    ...NONE,
    operands: ['NAME'],
    prepare:
      (_options, name = '') =>
      async ({ dns }) => {
        await dns.directory.revokeKey(name, dns.clock.now());
        return { json: { name, state: 'revoked' }, text: `${name} is revoked` };
      },
  },
  'dns secondary add': {
    required: [],
    optional: ['key', 'signs'],
    operands: ['NAME', 'ADDRESS'],
    prepare:
      ({ key, signs = false }, name = '', address = '') =>
      async ({ dns }) => {
        const secondary = presentSecondary(await dns.addSecondary.execute({ name, address, key, signs }));
        return {
          json: secondary,
          text: `${secondary.name} at ${secondary.address} is told of changes, under the key ${secondary.key}`,
        };
      },
  },
  'dns secondary list': {
    ...NONE,
    prepare:
      () =>
      async ({ dns }) => {
        const all = (await dns.directory.all()).map(presentSecondary);
        return {
          json: all,
          text: table(
            all.map(({ name, address, key, signs, created_at }) => [
              address,
              key,
              signs ? 'signs' : 'serves',
              created_at,
              name,
            ]),
          ),
        };
      },
  },
  'dns secondary remove': {
    ...NONE,
    operands: ['NAME'],
    prepare:
      (_options, name = '') =>
      async ({ dns }) => {
        await dns.directory.remove(name);
        return { json: { name, removed: true }, text: `${name} is removed` };
      },
  },
  'dns knot-config': {
    required: [],
    optional: SETUP_OPTIONS,
    prepare:
      (options) =>
      async ({ dns }) =>
        presentSetup(knotConfig(await setupOf(dns, options, '/var/lib/knot'))),
  },
  'dns pdns-config': {
    required: [],
    optional: SETUP_OPTIONS,
    prepare:
      (options) =>
      async ({ dns }) =>
        presentSetup(powerdnsSetup(await setupOf(dns, options, '/var/lib/powerdns'))),
  },
  'dns raise-versions': {
    ...NONE,
    prepare:
      () =>
      async ({ dns }) => {
        await dns.raiseVersions.execute();
        return { json: { raised: true }, text: 'The versions of all zones are raised; secondaries take them up' };
      },
  },
};

/** @throws ValidationError saying what is missing */
async function setupOf(
  { catalogZone, directory, primary }: DnsServices,
  options: Options,
  defaultFolder: string,
): Promise<NameserverSetup> {
  const secondary = chosen(await directory.all(), options.secondary);
  const key = await directory.findKey(secondary.keyName);
  if (!key)
    throw ValidationError.of('key', `${secondary.keyName} is revoked: add the secondary again with another one`);
  const primaries = primariesOf(options.primary, primary);
  const folder = options.dir ?? defaultFolder;
  if (!/^\/[\w./-]+$/.test(folder))
    throw ValidationError.of('dir', 'must be an absolute path of letters, digits, dots, hyphens and underscores');
  return { secondary, key, primaries, catalogZone, folder };
}

/** The addresses given, else the one at which this process listens. @throws ValidationError */
function primariesOf(given: readonly string[] | undefined, listen: Endpoint | undefined): NameserverSetup['primaries'] {
  const endpoints = given?.map((text) => requireEndpoint(text, listen?.port ?? DNS_PORT)) ?? (listen ? [listen] : []);
  const [first, ...others] = new Map(endpoints.map((endpoint) => [endpointText(endpoint), endpoint])).values();
  if (!first || endpoints.some(isWildcardAddress))
    throw ValidationError.of('primary', 'must say at which address the secondary reaches this service');
  return [first, ...others];
}

function chosen(secondaries: readonly Secondary[], name: string | undefined): Secondary {
  const [secondary, ...others] =
    name === undefined ? secondaries : secondaries.filter((candidate) => candidate.name === name);
  if (!secondary)
    throw ValidationError.of(
      'secondary',
      name === undefined ? 'is missing: add one with dns secondary add' : 'is not known',
    );
  if (others.length > 0)
    throw ValidationError.of(
      'secondary',
      `must say which one: ${secondaries.map((candidate) => candidate.name).join(', ')}`,
    );
  return secondary;
}

function presentSetup(text: string): Answer {
  return { json: { configuration: text }, text: text.trimEnd() };
}

function presentTsigKey({ name, algorithm, createdAt, revokedAt }: TsigKeyFacts) {
  return {
    name,
    algorithm,
    state: revokedAt === null ? 'active' : 'revoked',
    created_at: createdAt.toISOString(),
    revoked_at: revokedAt?.toISOString() ?? null,
  };
}

function presentSecondary({ name, endpoint, keyName, signs, createdAt }: Secondary) {
  return { name, address: endpointText(endpoint), key: keyName, signs, created_at: createdAt.toISOString() };
}
