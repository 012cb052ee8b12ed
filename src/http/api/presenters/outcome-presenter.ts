import type { Response } from 'express';
import type { OperationOutcome } from '../../../application/operations/operation-outcome';
import { RegistryUnavailable } from '../../../application/ports/registry/registry-errors';
import type { DomainState } from '../../../domain/registration/domain';
import { costOf, type OperationKind, type OperationRequest } from '../../../domain/registration/operation';
import type { Money } from '../../../domain/shared/money';
import { changedDomain, registeredDomain, shortRegistrant } from './domain-presenter';
import { amount } from './money-presenter';
import { locateOperation } from './operation-presenter';

type RequestOf<K extends OperationKind> = Extract<OperationRequest, { kind: K }>;
type Body<K extends OperationKind> = (domain: DomainState, request: RequestOf<K>, outcome: OperationOutcome) => object;

/** What each kind of operation is answered with. */
const BODIES: { readonly [K in OperationKind]: Body<K> } = {
  register: (domain) => registeredDomain(domain),
  renew: (domain, { years, ...request }, outcome) => ({
    id: domain.id,
    name: domain.name,
    status: domain.status,
    expires_at: domain.expiresAt.toISOString(),
    updated_at: domain.updatedAt.toISOString(),
    renewal: { years, ...cost(outcome, request) },
  }),
  set_nameservers: (domain) => changedDomain(domain, { nameservers: domain.nameservers }),
  set_registrant: (domain) => changedDomain(domain, { contacts: { registrant: shortRegistrant(domain.registrant) } }),
  set_transfer_lock: (domain) => changedDomain(domain, { transfer_locked: domain.transferLocked }),
  issue_auth_code: ({ id, name }, _request, { authCode }) => {
    if (!authCode)
      throw new RegistryUnavailable('The auth code was issued but could not be handed over; ask for another');
    return { id, name, auth_code: authCode.code, expires_at: authCode.expiresAt.toISOString() };
  },
  withdraw_auth_code: (domain) => changedDomain(domain, {}),
  restore: (domain, request, outcome) => ({
    id: domain.id,
    name: domain.name,
    status: domain.status,
    expires_at: domain.expiresAt.toISOString(),
    updated_at: domain.updatedAt.toISOString(),
    restore: cost(outcome, request),
  }),
  delete: ({ id, name }) => ({ id, name, deleted: true }),
};

/** What it cost in the end. */
function cost({ operation }: OperationOutcome, request: { readonly price: Money }): object {
  const price = costOf(operation.toState(), request);
  return { price: amount(price), currency: price.currency };
}

/** Answers what an operation came to: the same from whoever ran it. */
export function sendOutcome(res: Response, outcome: OperationOutcome): void {
  const { id, kind, request } = outcome.operation;
  const body = BODIES[kind] as Body<OperationKind>;
  locateOperation(res, id);
  res.status(kind === 'register' ? 201 : 200).json(body(outcome.domain.toState(), request, outcome));
}
