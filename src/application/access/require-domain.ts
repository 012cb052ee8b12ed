import type { Requester } from '../../domain/access/actor';
import type { KeyAction } from '../../domain/access/key-limits';
import { assertActionAllowed, maySeeDomain } from '../../domain/access/key-permissions';
import type { HostedName } from '../../domain/dns/hosted-name';
import type { Domain } from '../../domain/registration/domain';
import { DomainNotFound, DomainStatusConflict } from '../../domain/shared/domain-errors';

/**
 * Every use case that reads or changes a domain of an account finds it through this: a domain that the requester's key or role may not
 * see is not found. @throws LimitedKey if the key may not do `action` at all, DomainNotFound
 */
export function requireDomain(
  domain: Domain | undefined,
  { actor }: Pick<Requester, 'actor'>,
  action: KeyAction,
): Domain {
  const found = requireOwned(domain, { actor }, action);
  if (found.isHosted) throw new DomainNotFound('The name has DNS only: it is not registered here');
  return found;
}

/** As `requireDomain`, for what names without a registration have, too: health, DNSSEC, tags. @throws LimitedKey, DomainNotFound */
export function requireOwned(
  domain: Domain | undefined,
  { actor }: Pick<Requester, 'actor'>,
  action: KeyAction,
): Domain {
  assertActionAllowed(actor, action);
  if (!domain || !maySeeDomain(actor, domain.toState())) throw new DomainNotFound();
  return domain;
}

/** As `requireDomain`, of a name whose zone is read or announced. @throws LimitedKey, DomainNotFound */
export function requireName(
  name: HostedName | undefined,
  { actor }: Pick<Requester, 'actor'>,
  action: KeyAction,
): HostedName {
  assertActionAllowed(actor, action);
  if (!name || !maySeeDomain(actor, name)) throw new DomainNotFound();
  return name;
}

/** As `requireDomain`, of a name whose records are to be changed. @throws LimitedKey, DomainNotFound, DomainStatusConflict */
export function requireChangeableName(name: HostedName | undefined, requester: Pick<Requester, 'actor'>): HostedName {
  const found = requireName(name, requester, 'write');
  if (found.immutableBecause !== null) throw new DomainStatusConflict(found.immutableBecause);
  return found;
}
