import type { SigningReport } from '../../../../application/dnssec/read-signing';
import type { SecondaryReport } from '../../../../application/ports/dns/publishing';
import type { ZoneFacts } from '../../../../application/ports/dns/zone-queries';
import type { CheckId, CheckState, HealthAction, HealthCheck } from '../../../../domain/health/health-check';
import type { HealthReport } from '../../../../domain/health/health-report';
import type { DomainState } from '../../../../domain/registration/domain';

/** What is known of a domain without asking anyone, and what the secondaries answered if they were asked. */
export interface MapFacts {
  readonly domain: DomainState;
  /** The registry's name in the registries file; undefined if none serves the TLD. */
  readonly registry: string | undefined;
  /** To which the name is, or should be, delegated. */
  readonly nameservers: readonly string[];
  /** Host names of this service's nameservers. */
  readonly ownNameservers: readonly string[];
  /** Of the last check; undefined if there was none. */
  readonly report: HealthReport | undefined;
  readonly zone: ZoneFacts | undefined;
  readonly signing: SigningReport;
  /** Undefined if they were not asked for this page. */
  readonly secondaries: readonly (SecondaryReport & { readonly isCurrent: boolean })[] | undefined;
}

/** `moving`: a change is on its way there. */
export type PartState = CheckState | 'moving';

/** The columns of the map, from those that say where the zone is to those who ask. */
export type PartKind =
  | 'registry'
  | 'parent'
  | 'primary'
  | 'secondary'
  | 'nameserver'
  | 'resolver'
  | 'ds'
  | 'keys'
  | 'rollover'
  | 'validation';

export interface MapPart {
  readonly id: string;
  readonly kind: PartKind;
  readonly title: string;
  readonly state: PartState;
  /** Short lines below the title. */
  readonly lines: readonly string[];
}

export interface MapEdge {
  readonly from: string;
  readonly to: string;
  readonly state: PartState;
  /** What to do, if it is broken. Edges that break for one reason share its step. */
  readonly steps?: readonly MapStep[];
}

/** What is wrong at an edge, and what to do about it. */
export interface MapStep {
  readonly check: CheckId;
  readonly state: PartState;
  readonly summary: string;
  readonly advice: string | null;
  readonly action: HealthAction | null;
}

export interface DelegationMap {
  readonly parts: readonly MapPart[];
  readonly edges: readonly MapEdge[];
  /** In the order of their numbers in the drawing. */
  readonly steps: readonly MapStep[];
  /** Whether a change has not reached every secondary yet. */
  readonly isPublishing: boolean;
}

export function checkIn(report: HealthReport | undefined, id: CheckId): HealthCheck | undefined {
  return report?.checks.find((check) => check.id === id);
}

/** What a part shows of a check: what was never checked is unknown. */
export function stateOf(check: HealthCheck | undefined): CheckState {
  return check?.state ?? 'unknown';
}

export function isBroken(state: PartState): boolean {
  return state === 'problem' || state === 'warning';
}

/** None if the check found nothing wrong. */
export function stepsOf(check: HealthCheck | undefined): readonly MapStep[] {
  if (!check || !isBroken(check.state)) return [];
  const { id, state, summary, advice, action } = check;
  return [{ check: id, state, summary, advice, action }];
}
