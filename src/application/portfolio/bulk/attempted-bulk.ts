import {
  currentExpiryOf,
  mostOf,
  isOrderStep,
  type BulkDomainAction,
  type BulkItem,
  type BulkStep,
  type RegistrationAction,
  type ZoneFilesAction,
} from '../../../domain/portfolio/bulk-job';
import type { AttemptedChange } from '../../access/approvals/approval-needed';

type Attempted = Pick<BulkItem, 'domainId' | 'name'> & Partial<Pick<BulkItem, 'ownAction'>>;

/** A job with the expiries and prices that its renewals or registrations were confirmed with. */
export function attemptedBulk(
  action: BulkDomainAction | RegistrationAction | ZoneFilesAction,
  domains: readonly Attempted[],
): AttemptedChange {
  if (action.kind === 'registration')
    return {
      kind: 'bulk_registration',
      action,
      orders: domains.map(({ name, ownAction }) => ({ ...(ownAction && isOrderStep(ownAction) && ownAction), name })),
    };
  if (action.kind === 'zone_files')
    return {
      kind: 'bulk_zone_files',
      action,
      files: domains.flatMap(({ name, ownAction }) =>
        ownAction?.kind === 'zone_file' ? { name, text: ownAction.text, version: ownAction.version } : [],
      ),
    };
  return {
    kind: 'bulk',
    action,
    domainIds: domains.map(({ domainId }) => domainId),
    currentExpiries: known(domains, currentExpiryOf),
    maxPrices: known(domains, mostOf),
  };
}

/** By the ids of the domains that have one; undefined if none has. */
function known<T>(
  domains: readonly Attempted[],
  valueOf: (step: BulkStep) => T | undefined,
): Readonly<Record<string, T>> | undefined {
  const values = domains.flatMap(({ domainId, ownAction }) => {
    const value = ownAction ? valueOf(ownAction) : undefined;
    return value === undefined ? [] : [[domainId, value] as const];
  });
  return values.length > 0 ? Object.fromEntries(values) : undefined;
}
