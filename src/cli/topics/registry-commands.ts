import {
  PERSONALITIES,
  type PersonalityName,
} from '../../infrastructure/registry/sandbox/epp-server/personalities/personalities';
import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { parseEndpoint, type Endpoint } from '../../domain/dns/secondaries/secondary';
import { WIRE_FAULTS } from '../../infrastructure/registry/sandbox/epp-server/wire-faults';
import type { WireFault } from '../../infrastructure/registry/sandbox/simulated/store/registry-store';
import { UsageError } from '../usage-error';

export const REGISTRY_USAGE = `Usage: npm run --silent registry -- [command] [options]

The sandbox registry: an EPP server (RFC 5730 to 5734) over TLS, for several registrars.

Commands:
  serve                       runs the EPP server until it is stopped (default)
  registrar set NAME          creates a registrar or sets a new password, and prints the password; it cannot be
                              shown again
  registrar list              lists the registrars
  advance DAYS                advances the registry's clock and runs everything that becomes due
  fault KIND                  injects a fault into the following EPP commands, also of a running server:
                              ${WIRE_FAULTS.join(', ')}
  fault clear                 removes all faults

Options:
  --folder PATH               folder of the database, certificate and key (default data/registry)
  --port N                    port to listen on, 0 for any free port (default 7000)
  --host ADDRESS              address to listen on (default 127.0.0.1)
  --personality NAME          the registry whose rules apply: rfc, afnic, centralnic, dns-belgium, eurid, google,
                              identity-digital, nominet, pir, sidn, verisign (default rfc)
  --hosts objects|attributes  how the registry models hosts, RFC 5731 section 1.1 (default objects)
  --dnssec ds|keys            how the registry takes DS records, RFC 5910 section 4 (default ds)
  --dns ADDRESS               serves the zones of the TLDs there, by UDP and TCP, such as 127.0.0.1:5300 (default: off)
  --dns-nameserver ADDRESS    address of their nameserver nic.TLD, if a secondary signs and serves them (default: --dns)
  --max-sessions N            concurrent sessions per registrar (default 20)
  --idle-seconds N            closes idle connections after this time (default 600)
  --target WHAT               limits a fault to a TLD, a name or a command such as login, domain:create, poll:ack
  --times N                   number of commands that a fault affects (default: until cleared)
  --milliseconds N            duration of the fault delay (default 1000)
  --help                      prints this text`;

export interface RegistryOptions {
  readonly folder: string;
  readonly port: number;
  readonly host: string;
  readonly personality: PersonalityName;
  /** The personality's if absent. */
  readonly hostsAre?: 'objects' | 'attributes';
  readonly dsRecordsAre?: 'ds' | 'keys';
  readonly dns?: { readonly endpoint: Endpoint; readonly nameserver: string };
  readonly maxSessions: number;
  readonly idleMs: number;
}

export type RegistryCommand = { readonly options: RegistryOptions } & (
  | { readonly kind: 'help' }
  | { readonly kind: 'serve' }
  | { readonly kind: 'list' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'set'; readonly registrar: string }
  | { readonly kind: 'advance'; readonly days: number }
  | {
      readonly kind: 'fault';
      readonly fault: {
        readonly kind: WireFault;
        readonly target?: string;
        readonly times?: number;
        readonly milliseconds: number;
      };
    }
);

const DNS_PORT = 53;
const TEXT = { type: 'string' } as const;
const OPTIONS = {
  folder: TEXT,
  port: TEXT,
  host: TEXT,
  personality: TEXT,
  hosts: TEXT,
  dnssec: TEXT,
  dns: TEXT,
  'dns-nameserver': TEXT,
  'max-sessions': TEXT,
  'idle-seconds': TEXT,
  target: TEXT,
  times: TEXT,
  milliseconds: TEXT,
  help: { type: 'boolean' },
} as const;

type Values = Readonly<Partial<Record<Exclude<keyof typeof OPTIONS, 'help'>, string>>> & { readonly help?: boolean };

/** @throws UsageError */
export function parseRegistryCommand(argv: readonly string[]): RegistryCommand {
  const { values, positionals } = parseArguments(argv);
  const options = parseOptions(values);
  if (values.help) return { kind: 'help', options };
  const [verb = 'serve', object = '', name, ...rest] = positionals;
  const command = `${verb} ${object}`.trim();
  if (rest.length > 0 || (name !== undefined && command !== 'registrar set'))
    throw new UsageError(`Unexpected arguments: ${rest.join(' ') || name}`);
  if (command === 'serve') return { kind: 'serve', options };
  if (command === 'registrar list') return { kind: 'list', options };
  if (command === 'registrar set') return { kind: 'set', registrar: parseRegistrarName(name), options };
  if (command === 'fault clear') return { kind: 'clear', options };
  if (verb === 'advance') return { kind: 'advance', days: parseNumber('DAYS', object, '', 1, 100_000), options };
  if (verb === 'fault') return { kind: 'fault', fault: parseFault(object, values), options };
  throw new UsageError(`Unknown command: ${command}`);
}

function parseArguments(argv: readonly string[]): { readonly values: Values; readonly positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function parseOptions(values: Values): RegistryOptions {
  const { personality = 'rfc', hosts: hostsAre, dnssec: dsRecordsAre } = values;
  if (!isPersonality(personality))
    throw new UsageError(`--personality must be one of ${Object.keys(PERSONALITIES).join(', ')}`);
  if (hostsAre !== undefined && hostsAre !== 'objects' && hostsAre !== 'attributes')
    throw new UsageError('--hosts must be objects or attributes');
  if (dsRecordsAre !== undefined && dsRecordsAre !== 'ds' && dsRecordsAre !== 'keys')
    throw new UsageError('--dnssec must be ds or keys');
  return {
    folder: values.folder ?? 'data/registry',
    port: parseNumber('--port', values.port, '7000', 0, 65_535),
    host: values.host ?? '127.0.0.1',
    personality,
    ...(hostsAre && { hostsAre }),
    ...(dsRecordsAre && { dsRecordsAre }),
    ...parseDns(values),
    maxSessions: parseNumber('--max-sessions', values['max-sessions'], '20', 1, 10_000),
    idleMs: parseNumber('--idle-seconds', values['idle-seconds'], '600', 1, 1_000_000) * 1_000,
  };
}

function isPersonality(name: string): name is PersonalityName {
  return Object.hasOwn(PERSONALITIES, name);
}

function parseDns({ dns, 'dns-nameserver': nameserver }: Values): Pick<RegistryOptions, 'dns'> {
  if (dns === undefined && nameserver === undefined) return {};
  const endpoint = parseEndpoint(dns ?? '', DNS_PORT);
  if (!endpoint) throw new UsageError('--dns must be an IP address, optionally with a port: 127.0.0.1:5300');
  if (nameserver !== undefined && isIP(nameserver) === 0)
    throw new UsageError('--dns-nameserver must be an IP address');
  return { dns: { endpoint, nameserver: nameserver ?? endpoint.address } };
}

function parseFault(kind: string, { target, times, milliseconds }: Values) {
  const known = WIRE_FAULTS.find((candidate) => candidate === kind);
  if (!known) throw new UsageError(`KIND must be one of ${WIRE_FAULTS.join(', ')}`);
  return {
    kind: known,
    ...(target !== undefined && { target }),
    ...(times !== undefined && { times: parseNumber('--times', times, '', 1, 1_000_000) }),
    milliseconds: parseNumber('--milliseconds', milliseconds, '1000', 0, 600_000),
  };
}

function parseRegistrarName(name = ''): string {
  if (!/^[a-zA-Z0-9._-]{3,16}$/.test(name))
    throw new UsageError("A registrar's name must have 3 to 16 letters, digits, dots, hyphens and underscores");
  return name;
}

function parseNumber(name: string, text: string | undefined, fallback: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text ?? fallback) ? Number(text ?? fallback) : NaN;
  if (!(value >= min && value <= max)) throw new UsageError(`${name} must be a whole number from ${min} to ${max}`);
  return value;
}
