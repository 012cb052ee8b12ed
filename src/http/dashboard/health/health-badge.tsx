import type { HealthState } from '../../../domain/health/health-check';
import { Badge } from '../layout/components';
import { STATE_LABELS } from './health-labels';

/** The health of a domain as lists and headings show it. */
export function HealthBadge({ state }: { readonly state: HealthState | undefined }) {
  if (state === undefined) return <Badge tone="plain">not checked</Badge>;
  return <Badge tone={STATE_LABELS[state].tone}>{STATE_LABELS[state].label}</Badge>;
}
