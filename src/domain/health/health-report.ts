import { worstOf, type CheckState, type HealthCheck, type HealthState } from './health-check';

/** A nameserver as the picture of a domain shows it. */
export interface ServerLight {
  /** `nameserver`: a host of the delegation; `secondary`: one that transfers the zone from this service. */
  readonly kind: 'nameserver' | 'secondary';
  readonly name: string;
  readonly state: CheckState;
  /** The SOA serial; null without an answer for the zone. */
  readonly serial: number | null;
  /** One sentence. */
  readonly note: string;
}

/** What a check of a domain has found. */
export interface HealthReport {
  readonly checkedAt: Date;
  readonly state: HealthState;
  readonly checks: readonly HealthCheck[];
  readonly servers: readonly ServerLight[];
}

export function reportOf(
  checkedAt: Date,
  checks: readonly HealthCheck[],
  servers: readonly ServerLight[],
): HealthReport {
  return { checkedAt, state: worstOf(checks.map(({ state }) => state)), checks, servers };
}
