import type { TldPolicies } from '../../domain/registration/names/tld-policy';
import type { Domain } from '../../domain/registration/domain';
import { isSupported } from '../operations/assert-supported';

/**
 * Whether the service cannot set the DS records of a zone: then its parent takes them from the CDS records of the zone, or a person
 * copies them.
 */
export function isDsWithParent(policies: TldPolicies, { name, isHosted }: Pick<Domain, 'name' | 'isHosted'>): boolean {
  return isHosted || !isSupported(policies, name, 'delegation_signers');
}
