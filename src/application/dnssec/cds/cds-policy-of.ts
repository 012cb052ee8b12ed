import type { CdsPolicy } from '../../../domain/dns/dnssec/parent/cds-scan';
import type { TldPolicies } from '../../../domain/registration/names/tld-policy';
import { DomainName } from '../../../domain/shared/domain-name';

/** What CDS records of a domain at other nameservers may do; undefined if they are not read. */
export function cdsPolicyOf(policies: TldPolicies, name: string): CdsPolicy | undefined {
  const policy = policies.forName(DomainName.fromState(name));
  return policy?.unsupported?.includes('delegation_signers') ? undefined : policy?.cds;
}
