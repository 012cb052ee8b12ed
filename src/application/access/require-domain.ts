import type { Requester } from '../../domain/access/actor';
import type { KeyAction } from '../../domain/access/key-limits';
import { assertActionAllowed, maySeeDomain } from '../../domain/access/key-permissions';
import type { Domain } from '../../domain/registration/domain';
import { DomainNotFound } from '../../domain/shared/domain-errors';

/**
 * Every use case that reads or changes a domain of an account finds it through this: a domain that the requester's key or role may not
 * see is not found. @throws LimitedKey if the key may not do `action` at all, DomainNotFound
 */
export function requireDomain(
  domain: Domain | undefined,
  { actor }: Pick<Requester, 'actor'>,
  action: KeyAction,
): Domain {
  assertActionAllowed(actor, action);
  if (!domain || !maySeeDomain(actor, domain.toState())) throw new DomainNotFound();
  return domain;
}
