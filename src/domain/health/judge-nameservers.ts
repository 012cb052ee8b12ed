import { isSerialAtLeast } from '../dns/zone-serial';
import { worstOf, type CheckState, type Finding } from './health-check';
import type { ServerLight } from './health-report';

/** What a nameserver responds to a query for the zone's SOA record. */
export type ServerAnswer =
  | { readonly kind: 'serves'; readonly serial: number }
  /** It responds, but not as an authority for the zone: a lame delegation (RFC 9499). */
  | { readonly kind: 'lame'; readonly reason: string }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'no_address' }
  /** Its addresses are private, and the operator has not allowed their networks. It was not asked. */
  | { readonly kind: 'not_public'; readonly address: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface ServerEvidence {
  readonly kind: ServerLight['kind'];
  readonly name: string;
  readonly address?: string;
  readonly answer: ServerAnswer;
}

interface NameserversEvidence {
  readonly servers: readonly ServerEvidence[];
  /** What each kind should serve at least. Undefined if that is not known; then the latest serial of one of them counts. */
  readonly serials: Readonly<Record<ServerLight['kind'], number | undefined>>;
}

/** SOA and serial at each nameserver. */
export function judgeNameservers(found: NameserversEvidence): Finding {
  if (found.servers.length === 0)
    return {
      state: 'unknown',
      summary: 'No nameserver could be asked.',
      advice: 'The operator of this service can set up a resolver for health checks, and a secondary nameserver.',
    };
  const lights = lightsOf(found);
  const evidence = found.servers.map(({ name, address }, index) => {
    const { note = '' } = lights[index] ?? {};
    return `${name}${address === undefined ? '' : ` (${address})`}: ${note}`;
  });
  const of = (...kinds: readonly ServerAnswer['kind'][]) =>
    found.servers.filter(({ answer }) => kinds.includes(answer.kind));
  const behind = lights.filter(({ state, serial }) => state === 'warning' && serial !== null);
  const broken = of('lame', 'no_address');
  if (broken.length > 0)
    return {
      state: 'problem',
      summary: `${names(broken)} ${broken.length === 1 ? 'does' : 'do'} not serve the zone.`,
      evidence,
      advice: 'Remove nameservers that do not serve the zone from the delegation, or set the zone up on them.',
      action: 'change_nameservers',
    };
  const silent = of('unreachable');
  if (silent.length > 0)
    return {
      state: silent.length === found.servers.length ? 'problem' : 'warning',
      summary: `${names(silent)} ${silent.length === 1 ? 'does' : 'do'} not respond.`,
      evidence,
      advice:
        'Resolvers use the other nameservers meanwhile. Check the server and its firewall (UDP and TCP, port 53).',
    };
  if (behind.length > 0)
    return {
      state: 'warning',
      summary: `${names(behind)} ${behind.length === 1 ? 'serves' : 'serve'} an older version of the zone.`,
      evidence,
      advice:
        'Some users see old records until the transfer is complete. If it stays so, check NOTIFY and the TSIG key.',
    };
  if (of('not_public').length > 0)
    return {
      state: 'warning',
      summary: `${names(of('not_public'))} ${of('not_public').length === 1 ? 'has' : 'have'} no public address.`,
      evidence,
      advice: 'If that is intended, the operator of this service can allow health checks to ask in that network.',
    };
  const state = worstOf(lights.map((light) => light.state));
  return {
    state,
    summary:
      state === 'ok'
        ? 'Every nameserver serves the current version of the zone.'
        : 'Not every nameserver could be asked.',
    evidence,
  };
}

/** One light for each server, in the same order. */
export function lightsOf({ servers, serials }: NameserversEvidence): readonly ServerLight[] {
  const latest = {
    nameserver: serials.nameserver ?? latestOf(servers, 'nameserver'),
    secondary: serials.secondary ?? latestOf(servers, 'secondary'),
  };
  return servers.map(({ kind, name, answer }) => ({ kind, name, ...lightOf(answer, latest[kind]) }));
}

function lightOf(answer: ServerAnswer, latest: number | undefined): Pick<ServerLight, 'state' | 'serial' | 'note'> {
  switch (answer.kind) {
    case 'serves': {
      const { serial } = answer;
      return latest === undefined || isSerialAtLeast(serial, latest)
        ? { state: 'ok', serial, note: `serves serial ${serial}` }
        : { state: 'warning', serial, note: `serves serial ${serial}, not ${latest}` };
    }
    case 'lame':
      return without('problem', `does not serve the zone (${answer.reason})`);
    case 'unreachable':
      return without('problem', 'does not respond');
    case 'no_address':
      return without('problem', 'has no address');
    case 'not_public':
      return without('warning', `was not asked, because ${answer.address} is not public`);
    case 'unknown':
    default:
      return without('unknown', answer.reason);
  }
}

function without(state: CheckState, note: string): Pick<ServerLight, 'state' | 'serial' | 'note'> {
  return { state, serial: null, note };
}

function names(servers: readonly { readonly name: string }[]): string {
  return [...new Set(servers.map(({ name }) => name))].join(', ');
}

function latestOf(servers: readonly ServerEvidence[], kind: ServerLight['kind']): number | undefined {
  let latest: number | undefined;
  for (const { answer } of servers.filter((server) => server.kind === kind))
    if (answer.kind === 'serves' && (latest === undefined || isSerialAtLeast(answer.serial, latest)))
      latest = answer.serial;
  return latest;
}
