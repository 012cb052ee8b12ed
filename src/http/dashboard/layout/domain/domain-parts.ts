import type { DomainState } from '../../../../domain/registration/domain';
import { isHosted } from '../../../../domain/registration/domain-status';

/** The pages below a domain's that only a registration has, by the first part of their paths. */
const OF_REGISTRATIONS = new Set([
  'auth-code',
  'auto-renewal',
  'nameservers',
  'operations',
  'registrant',
  'release',
  'renew',
  'restore',
  'switch',
  'transfer-lock',
  'transfer-out',
]);

/** Whether the name has the page: a name without a registration has those of its zone only. @param path below the name's page */
export function hasPage({ status }: Pick<DomainState, 'status'>, path: string): boolean {
  return !isHosted(status) || !OF_REGISTRATIONS.has(/[\w-]+/.exec(path)?.[0] ?? '');
}
