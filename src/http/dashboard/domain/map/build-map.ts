import { delegationOf } from '../../../../domain/dns/delegation/delegation';
import { serialOf } from '../../../../domain/dns/zone-serial';
import { worstOf, type CheckState, type HealthCheck } from '../../../../domain/health/health-check';
import { isHosted, isZoneServed, type DomainStatus } from '../../../../domain/registration/domain-status';
import { formatDate } from '../../../../domain/shared/time/date-text';
import { STATUS_LABELS } from '../../layout/domain/domain-labels';
import { chainOfTrust } from './chain-of-trust';
import {
  checkIn,
  isBroken,
  stateOf,
  stepsOf,
  type DelegationMap,
  type MapEdge,
  type MapFacts,
  type MapPart,
  type MapStep,
} from './map-parts';

/** More do not fit into a drawing that is read at a glance. */
const MAX_SERVERS = 6;

const REGISTERED: Readonly<Partial<Record<DomainStatus, CheckState>>> = {
  active: 'ok',
  expired: 'warning',
  redemption: 'problem',
  pending_delete: 'problem',
};

/** How resolvers find the domain: what is known of each part and each step between them. What is not known is never OK. */
export function buildMap(facts: MapFacts): DelegationMap {
  const nameservers = nameserversOf(facts);
  const secondaries = secondariesOf(facts);
  const trust = chainOfTrust(facts);
  // Of what does not serve the zone, the first says what to do.
  const failing = [...nameservers, ...secondaries].find(({ state }) => isBroken(state));
  const failure = (id: string) => (failing?.id === id ? stepsOf(checkIn(facts.report, 'nameservers')) : []);
  const edges: readonly MapEdge[] = [
    { from: 'registry', to: 'parent', ...delegatedByRegistry(facts) },
    ...nameservers.map((server) => delegatedTo(facts, server, failure(server.id))),
    ...secondaries.map(({ id, state }) => ({ from: 'primary', to: id, state, steps: failure(id) })),
    ...servedFromHere(facts, secondaries, nameservers),
    ...nameservers.map(({ id, state }) => ({ from: id, to: 'resolver', ...resolvedThrough(facts, state) })),
    ...trust.edges,
  ];
  return {
    parts: [
      registryOf(facts),
      parentOf(facts),
      primaryOf(facts),
      ...secondaries,
      ...nameservers,
      resolverOf(facts),
      ...trust.parts,
    ],
    edges,
    steps: [...new Map(edges.flatMap(({ steps = [] }) => steps.map((step) => [step.check, step] as const))).values()],
    isPublishing: facts.secondaries?.some(({ isCurrent }) => !isCurrent) ?? false,
  };
}

function registryOf({ domain: { status, expiresAt }, registry }: MapFacts): MapPart {
  const part = { id: 'registry', kind: 'registry', title: 'Registry' } as const;
  if (isHosted(status)) return { ...part, state: 'not_applicable', lines: ['not registered here'] };
  const label = STATUS_LABELS[status].label;
  return {
    ...part,
    state: registry === undefined ? 'unknown' : (REGISTERED[status] ?? 'unknown'),
    lines: [registry ?? 'none serves the TLD', `${label}, ${formatDate(expiresAt)}`],
  };
}

function parentOf({ domain: { name, status }, report, nameservers }: MapFacts): MapPart {
  const check = checkIn(report, 'delegation');
  const count = `${nameservers.length} ${nameservers.length === 1 ? 'nameserver' : 'nameservers'}`;
  const isKnown = check !== undefined && check.state !== 'unknown';
  return {
    id: 'parent',
    kind: 'parent',
    title: `Parent zone ${isHosted(status) ? '' : name.slice(name.indexOf('.'))}`.trim(),
    // Of a delegation to other nameservers, the check says nothing.
    state: check?.state === 'not_applicable' ? resolvedState(checkIn(report, 'resolution')) : stateOf(check),
    lines: [isKnown || !isHosted(status) ? `to ${count}` : 'not asked yet'],
  };
}

function primaryOf({ domain, zone, signing: { signing } }: MapFacts): MapPart {
  const part = { id: 'primary', kind: 'primary', title: 'Our primary' } as const;
  if (!zone) return { ...part, state: 'not_applicable', lines: ['no zone'] };
  const { version, serial, recordCount } = zone;
  return {
    ...part,
    state: isZoneServed(domain) ? 'ok' : 'not_applicable',
    lines: [
      isZoneServed(domain) ? `version ${version}, serial\u00a0${serialOf(serial)}` : 'stored, not served',
      `${recordCount.toLocaleString('en')} ${recordCount === 1 ? 'record' : 'records'}, ${signing?.isSigned ? 'signed' : 'unsigned'}`,
    ],
  };
}

/** What they answered just now, otherwise what the last check saw. */
function secondariesOf({ secondaries, report, zone, domain }: MapFacts): readonly MapPart[] {
  if (!zone || !isZoneServed(domain)) return [];
  const seen =
    secondaries?.map(({ secondary, answer, isCurrent }) => ({
      name: secondary,
      state: answer.kind === 'serves' ? (isCurrent ? ('ok' as const) : ('moving' as const)) : ('problem' as const),
      line:
        answer.kind === 'serves'
          ? `serial ${answer.serial}${isCurrent ? '' : ` of ${serialOf(zone.serial)}`}`
          : answer.kind === 'unreachable'
            ? 'does not respond'
            : 'does not have the zone',
    })) ??
    report?.servers
      .filter(({ kind }) => kind === 'secondary')
      .map(({ name, state, note }) => ({ name, state, line: note })) ??
    [];
  const shown = seen.slice(0, MAX_SERVERS).map(({ name, state, line }, index) => ({
    id: `secondary-${index}`,
    kind: 'secondary' as const,
    title: name,
    state,
    lines: [line],
  }));
  if (shown.length > 0) return [...shown, ...more('secondary', seen)];
  const isNone = secondaries?.length === 0;
  return [
    {
      id: 'secondary-0',
      kind: 'secondary',
      title: isNone ? 'No secondary' : 'Secondaries',
      state: isNone ? 'problem' : 'unknown',
      lines: [isNone ? 'ask the operator for one' : 'not asked yet'],
    },
  ];
}

function nameserversOf({ nameservers, report, ownNameservers }: MapFacts): readonly MapPart[] {
  const seen = nameservers.map((host) => {
    const lights = report?.servers.filter(({ kind, name }) => kind === 'nameserver' && name === host) ?? [];
    const state = lights.length === 0 ? 'unknown' : worstOf(lights.map((light) => light.state));
    const worst = lights.find((light) => light.state === state);
    return { host, state, line: worst?.note ?? 'not asked yet' };
  });
  if (seen.length === 0)
    return [
      {
        id: 'nameserver-0',
        kind: 'nameserver',
        title: 'No nameservers',
        state: 'problem',
        lines: ['Set nameservers.'],
      },
    ];
  const shown = seen.slice(0, MAX_SERVERS).map(({ host, state, line }, index) => ({
    id: `nameserver-${index}`,
    kind: 'nameserver' as const,
    title: host,
    state,
    lines: [line, ...(ownNameservers.includes(host) ? [] : ['not of this service'])],
  }));
  return [...shown, ...more('nameserver', seen)];
}

function more(
  kind: 'nameserver' | 'secondary',
  seen: readonly { readonly state: MapPart['state'] }[],
): readonly MapPart[] {
  const rest = seen.slice(MAX_SERVERS).map(({ state }) => state);
  if (rest.length === 0) return [];
  const state = rest.includes('moving') ? 'moving' : worstOf(rest.filter((each) => each !== 'moving'));
  return [{ id: `${kind}-more`, kind, title: `and ${rest.length} more`, state, lines: [] }];
}

function resolverOf({ report }: MapFacts): MapPart {
  const check = checkIn(report, 'resolution');
  const lines: Readonly<Record<CheckState, string>> = {
    ok: 'get an answer',
    warning: 'get an answer',
    problem: 'get no answer',
    unknown: check ? 'gave no answer' : 'not asked yet',
    not_applicable: 'are not asked',
  };
  const state = stateOf(check);
  return { id: 'resolver', kind: 'resolver', title: 'Resolvers', state, lines: [lines[state]] };
}

/** Resolvers that find no such name show that the parent zone does not have the delegation. */
function isNameMissing({ report }: MapFacts): boolean {
  return checkIn(report, 'resolution')?.evidence.includes('NXDOMAIN') ?? false;
}

/** Resolvers that get an answer have found the delegation. */
function resolvedState(resolution: HealthCheck | undefined): CheckState {
  return resolution?.state === 'ok' || resolution?.state === 'warning' ? 'ok' : 'unknown';
}

function delegatedByRegistry(facts: MapFacts): Omit<MapEdge, 'from' | 'to'> {
  const { domain, report } = facts;
  if (isHosted(domain.status)) return { state: 'not_applicable' };
  const resolution = checkIn(report, 'resolution');
  if (isNameMissing(facts)) return { state: 'problem', steps: stepsOf(resolution) };
  if (REGISTERED[domain.status] === 'problem') return { state: 'problem', steps: stepsOf(checkIn(report, 'expiry')) };
  return { state: resolvedState(resolution) };
}

function delegatedTo(
  { domain, nameservers, ownNameservers, report }: MapFacts,
  { id, title, state }: MapPart,
  failure: readonly MapStep[],
): MapEdge {
  const check = checkIn(report, 'delegation');
  const edge = { from: 'parent', to: id };
  const delegation = delegationOf(nameservers, ownNameservers);
  // A delegation to other nameservers works; what does not is the way from here to them.
  const isMisled =
    delegation === 'partly' ? !ownNameservers.includes(title) : delegation === 'ours' && isHosted(domain.status);
  const isMissing = nameservers.length === 0;
  if (check && isBroken(check.state) && (isMisled || isMissing))
    return { ...edge, state: check.state, steps: [...stepsOf(check), ...failure] };
  return { ...edge, state, steps: failure };
}

/** How the zone gets from here to the nameservers that resolvers ask: only to those of this service. */
function servedFromHere(
  { domain, nameservers: hosts, ownNameservers, report, zone }: MapFacts,
  secondaries: readonly MapPart[],
  nameservers: readonly MapPart[],
): readonly MapEdge[] {
  const ours = nameservers.filter(({ title }) => ownNameservers.includes(title));
  const [first] = nameservers;
  if (secondaries.length === 0 || !first || !isZoneServed(domain)) return [];
  if (hosts.length > 0 && delegationOf(hosts, ownNameservers) === 'elsewhere') {
    const state = zone && zone.recordCount > 0 ? 'warning' : 'not_applicable';
    const steps = stepsOf(checkIn(report, 'delegation'));
    return secondaries.map(({ id }) => ({ from: id, to: first.id, state, steps }));
  }
  return secondaries.flatMap(({ id, state }) =>
    ours.map((server) => ({ from: id, to: server.id, state: state === 'ok' ? server.state : state })),
  );
}

function resolvedThrough(facts: MapFacts, server: MapPart['state']): Omit<MapEdge, 'from' | 'to'> {
  const resolution = checkIn(facts.report, 'resolution');
  if (isNameMissing(facts)) return { state: 'unknown' };
  const state = stateOf(resolution);
  // Resolvers get their answers from the others.
  return { state: state === 'ok' && isBroken(server) ? server : state, steps: stepsOf(resolution) };
}
