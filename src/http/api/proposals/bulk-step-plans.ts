import type { RehearsedChange } from '../../../application/ports/storage/unit-of-work';
import {
  currentExpiryOf,
  isOrderStep,
  mostOf,
  type BulkDomainAction,
  type BulkStep,
} from '../../../domain/portfolio/bulk-job';
import { bulkBody, priceBody } from './attempted-writes';

type RollBack = Extract<BulkStep, { kind: 'roll_back' }>;
type ShownStep = BulkDomainAction | RollBack;

/**
 * What a bulk job does to which domains, as a member of its plan: a filter may match others when it is accepted, and a template may have
 * other records. None for orders and zone files, which are shown name by name.
 */
export function bulkStepPlans(items: RehearsedChange['bulkSteps']): object {
  const domainsOf = new Map<string, string[]>();
  const texts = new Map<BulkStep, string>();
  for (const { domainId, name, step } of items) {
    if (!isShown(step)) continue;
    const text = texts.get(step) ?? JSON.stringify(shown(step));
    texts.set(step, text);
    const domains = domainsOf.get(text) ?? [];
    domains.push(name || domainId);
    domainsOf.set(text, domains);
  }
  const steps = [...domainsOf].map(([text, domains]) => ({ ...(JSON.parse(text) as object), domains }));
  return steps.length === 0 ? {} : { steps };
}

function shown(step: ShownStep): object {
  if (step.kind === 'roll_back') return { action: step.kind, roll_back_to: step.version };
  const most = mostOf(step);
  return {
    action: step.kind,
    ...bulkBody(step),
    ...(most && { max_price_each: priceBody(most) }),
    current_expiry: currentExpiryOf(step),
    ...(step.kind === 'template' && { records: step.template?.records }),
  };
}

function isShown(step: BulkStep): step is ShownStep {
  return !isOrderStep(step) && !['zone_file', 'zone_files', 'transfer', 'registration'].includes(step.kind);
}
