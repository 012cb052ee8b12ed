import { ZoneNotVerified } from '../../domain/shared/domain-errors';
import type { Domain } from '../../domain/registration/domain';

/** A hosted name has no registration whose settings could be changed. @throws DomainStatusConflict */
export function assertSigningAllowed(domain: Domain): void {
  if (domain.status === 'unverified') throw new ZoneNotVerified('DNSSEC can be switched on once it is verified');
  domain.assertAllows(domain.isHosted ? 'change DNS records' : 'change nameservers');
}
