import { parseArgs } from 'node:util';
import { WIRE_FAULTS } from '../infrastructure/registry/sandbox/epp-server/wire-faults';
import type { WireFault } from '../infrastructure/registry/sandbox/simulated/registry-store';
import { UsageError } from './usage-error';

export const REGISTRY_USAGE = `Usage: npm run --silent registry -- [command] [options]

The sandbox registry: an EPP server (RFC 5730 to 5734) over TLS, for several registrars.

Commands:
  serve                       listens until it is stopped; what is done where no command is given
  registrar set NAME          makes a registrar, or gives it a new password, and prints that, this once
  registrar list              the registrars
  advance DAYS                moves the registry's clock ahead; what falls due on the way happens
  fault KIND                  orders a fault for the commands that follow, of a server that runs, too:
                              ${WIRE_FAULTS.join(', ')}
  fault clear                 takes back every fault

Options:
  --folder PATH               where it keeps its database, certificate and key; data/registry
  --port N                    to listen on; 7000, 0 takes any free one
  --host ADDRESS              to listen on; 127.0.0.1
  --hosts objects|attributes  what hosts are to this registry; objects
  --max-sessions N            sessions of one registrar at a time; 20
  --idle-seconds N            a connection that is silent for so long is closed; 600
  --target WHAT               what a fault meets: a TLD, a name or a command (login, domain:create, poll:ack); everything
  --times N                   how many commands a fault meets; until it is cleared
  --milliseconds N            how long the fault delay takes; 1000
  --help                      prints this text`;

export interface RegistryOptions {
  readonly folder: string;
  readonly port: number;
  readonly host: string;
  readonly hostsAre: 'objects' | 'attributes';
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

const TEXT = { type: 'string' } as const;
const OPTIONS = {
  folder: TEXT,
  port: TEXT,
  host: TEXT,
  hosts: TEXT,
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
  const { values, positionals } = parsed(argv);
  const options = optionsOf(values);
  if (values.help) return { kind: 'help', options };
  const [verb = 'serve', object = '', name, ...rest] = positionals;
  const command = `${verb} ${object}`.trim();
  if (rest.length > 0 || (name !== undefined && command !== 'registrar set'))
    throw new UsageError(`Nobody knows what to do with ${rest.join(' ') || name}`);
  if (command === 'serve') return { kind: 'serve', options };
  if (command === 'registrar list') return { kind: 'list', options };
  if (command === 'registrar set') return { kind: 'set', registrar: registrarName(name), options };
  if (command === 'fault clear') return { kind: 'clear', options };
  if (verb === 'advance') return { kind: 'advance', days: number('DAYS', object, '', 1, 100_000), options };
  if (verb === 'fault') return { kind: 'fault', fault: faultOf(object, values), options };
  throw new UsageError(`There is no command ${command}`);
}

function parsed(argv: readonly string[]): { readonly values: Values; readonly positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function optionsOf(values: Values): RegistryOptions {
  const hostsAre = values.hosts ?? 'objects';
  if (hostsAre !== 'objects' && hostsAre !== 'attributes')
    throw new UsageError('--hosts must be objects or attributes');
  return {
    folder: values.folder ?? 'data/registry',
    port: number('--port', values.port, '7000', 0, 65_535),
    host: values.host ?? '127.0.0.1',
    hostsAre,
    maxSessions: number('--max-sessions', values['max-sessions'], '20', 1, 10_000),
    idleMs: number('--idle-seconds', values['idle-seconds'], '600', 1, 1_000_000) * 1_000,
  };
}

function faultOf(kind: string, { target, times, milliseconds }: Values) {
  const known = WIRE_FAULTS.find((candidate) => candidate === kind);
  if (!known) throw new UsageError(`A fault is one of ${WIRE_FAULTS.join(', ')}`);
  return {
    kind: known,
    ...(target !== undefined && { target }),
    ...(times !== undefined && { times: number('--times', times, '', 1, 1_000_000) }),
    milliseconds: number('--milliseconds', milliseconds, '1000', 0, 600_000),
  };
}

function registrarName(name = ''): string {
  if (!/^[a-zA-Z0-9._-]{3,16}$/.test(name))
    throw new UsageError("A registrar's name has 3 to 16 letters, digits, dots, hyphens and underscores");
  return name;
}

function number(name: string, text: string | undefined, otherwise: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text ?? otherwise) ? Number(text ?? otherwise) : NaN;
  if (!(value >= min && value <= max)) throw new UsageError(`${name} must be a whole number from ${min} to ${max}`);
  return value;
}
