import type { AddSecondary } from '../../application/dns/publishing/add-secondary';
import type { CreateTsigKey } from '../../application/dns/publishing/create-tsig-key';
import type { RaiseVersions } from '../../application/dns/publishing/raise-versions';
import { CONFIGURATIONS } from '../../application/dns/secondary-setup/configurations';
import type { NameserverSetup } from '../../application/dns/secondary-setup/nameserver-setup';
import type { Clock } from '../../application/ports/system';
import type { SecondaryDirectory, TsigKeyFacts } from '../../application/ports/dns/publishing';
import {
  requireEndpoint,
  endpointText,
  isWildcardAddress,
  type Endpoint,
  type Secondary,
} from '../../domain/dns/secondaries/secondary';
import { ValidationError } from '../../domain/shared/validation-error';
import { table, type CommandOutput, type CommandSpec, type Options } from '../command-spec';

export const DNS_USAGE = `  dns tsig create NAME [--algorithm hmac-sha256|hmac-sha384|hmac-sha512]
                                        creates a TSIG key for secondaries and prints it in the format of dig -y; it
                                        cannot be shown again
  dns tsig list                         lists algorithm, state, creation date and name of TSIG keys
  dns tsig revoke NAME                  revokes a TSIG key immediately
  dns secondary add NAME ADDRESS [--key NAME] [--signs]
                                        adds a secondary nameserver by IP address, with port if it is not 53;
                                        --signs: it signs zones (DNSSEC) and changes their serials
  dns secondary list                    lists address, key, kind, creation date and name of secondaries
  dns secondary remove NAME             removes a secondary; no NOTIFY or transfer goes to it any more
  dns knot-config [--secondary NAME] [--primary ADDRESS]... [--dir DIR]
                                        prints a knot.conf for a secondary; --primary: address and port of this
                                        service as seen by the secondary, once per replica
  dns pdns-config [--secondary NAME] [--primary ADDRESS]... [--dir DIR]
                                        prints a script that sets up PowerDNS for a secondary
  dns bind-config, dns nsd-config       print the lines for named.conf or nsd.conf, with the same options
  dns raise-versions                    raises all zone serials after a backup was restored, so that secondaries
                                        transfer the zones`;

/** The services that DNS commands use. */
export interface DnsServices {
  readonly directory: Pick<SecondaryDirectory, 'keys' | 'findKey' | 'revokeKey' | 'all' | 'remove'>;
  readonly createTsigKey: Pick<CreateTsigKey, 'execute'>;
  readonly addSecondary: Pick<AddSecondary, 'execute'>;
  readonly raiseVersions: Pick<RaiseVersions, 'execute'>;
  readonly clock: Clock;
  readonly catalogZone: string;
  /** Our listener; undefined if it is off. */
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
        return { json: { name, state: 'revoked' }, text: `${name} was revoked` };
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
          text: `${secondary.name} at ${secondary.address} was added with the key ${secondary.key}`,
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
        return { json: { name, removed: true }, text: `${name} was removed` };
      },
  },
  'dns knot-config': setupCommand('knot'),
  'dns bind-config': setupCommand('bind'),
  'dns nsd-config': setupCommand('nsd'),
  'dns pdns-config': setupCommand('powerdns'),
  'dns raise-versions': {
    ...NONE,
    prepare:
      () =>
      async ({ dns }) => {
        await dns.raiseVersions.execute();
        return {
          json: { raised: true },
          text: 'The versions of all zones were raised; secondaries will transfer them',
        };
      },
  },
};

function setupCommand(name: keyof typeof CONFIGURATIONS): CommandSpec<{ readonly dns: DnsServices }> {
  const { folder, write } = CONFIGURATIONS[name];
  return {
    required: [],
    optional: SETUP_OPTIONS,
    prepare:
      (options) =>
      async ({ dns }) =>
        presentSetup(write(await readSetup(dns, options, folder))),
  };
}

/** @throws ValidationError that says what is missing */
async function readSetup(
  { catalogZone, directory, primary }: DnsServices,
  options: Options,
  defaultFolder: string,
): Promise<NameserverSetup> {
  const secondary = selectSecondary(await directory.all(), options.secondary);
  const key = await directory.findKey(secondary.keyName);
  if (!key)
    throw ValidationError.of(
      'key',
      `${secondary.keyName} is revoked; remove the secondary and add it with another key`,
    );
  const primaries = readPrimaries(options.primary, primary);
  const folder = options.dir ?? defaultFolder;
  if (!/^\/[\w./-]+$/.test(folder))
    throw ValidationError.of('dir', 'must be an absolute path of letters, digits, dots, hyphens and underscores');
  return { secondary, key, secret: key.secret.toString('base64'), primaries, catalogZone, folder };
}

/** The given addresses, or this process's listener. @throws ValidationError */
function readPrimaries(
  given: readonly string[] | undefined,
  listen: Endpoint | undefined,
): NameserverSetup['primaries'] {
  const endpoints = given?.map((text) => requireEndpoint(text, listen?.port ?? DNS_PORT)) ?? (listen ? [listen] : []);
  const [first, ...others] = new Map(endpoints.map((endpoint) => [endpointText(endpoint), endpoint])).values();
  if (!first || endpoints.some(isWildcardAddress))
    throw ValidationError.of('primary', 'must be the address at which the secondary reaches this service');
  return [first, ...others];
}

function selectSecondary(secondaries: readonly Secondary[], name: string | undefined): Secondary {
  const [secondary, ...others] =
    name === undefined ? secondaries : secondaries.filter((candidate) => candidate.name === name);
  if (!secondary)
    throw ValidationError.of(
      'secondary',
      name === undefined ? 'is missing; add one with dns secondary add' : 'is not known',
    );
  if (others.length > 0)
    throw ValidationError.of(
      'secondary',
      `must be one of ${secondaries.map((candidate) => candidate.name).join(', ')}`,
    );
  return secondary;
}

function presentSetup(text: string): CommandOutput {
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
