import type { OperationOutcome } from '../../../application/operations/operation-outcome';
import { RegistryUnavailable } from '../../../application/ports/registry/registry-errors';
import type { DomainState } from '../../../domain/registration/domain';
import { costOf, type OperationKind, type OperationRequest } from '../../../domain/registration/operation';
import { majorUnits, type Money } from '../../../domain/shared/money';
import { operationLocation } from '../../shared/error-handler';
import type { JsonResult } from '../../shared/result';
import { changedDomain, registeredDomain, shortRegistrant } from './domain-presenter';
import { presentDsRecord } from './dns/signing-presenter';

type RequestOf<K extends OperationKind> = Extract<OperationRequest, { kind: K }>;
type Body<K extends OperationKind> = (domain: DomainState, request: RequestOf<K>, outcome: OperationOutcome) => object;

/** The response body to each kind of operation. */
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
  update_glue: (domain) => changedDomain(domain, {}),
  set_registrant: (domain) =>
    changedDomain(domain, { contacts: { registrant: domain.registrant && shortRegistrant(domain.registrant) } }),
  set_transfer_lock: (domain) => changedDomain(domain, { transfer_locked: domain.transferLocked }),
  set_delegation_signers: ({ id, name }, { signers }) => ({ id, name, ds: signers.map(presentDsRecord) }),
  set_registrar_renewal: (domain) => changedDomain(domain, { auto_renew: domain.autoRenew }),
  issue_auth_code: ({ id, name }, _request, { authCode }) => {
    if (!authCode)
      throw new RegistryUnavailable('The auth code was issued but could not be handed over; ask for another');
    return { id, name, auth_code: authCode.code, expires_at: authCode.expiresAt.toISOString() };
  },
  withdraw_auth_code: (domain) => changedDomain(domain, {}),
  approve_transfer: (domain) => changedDomain(domain, { status: domain.status }),
  reject_transfer: (domain) => changedDomain(domain, { transfer_locked: domain.transferLocked }),
  release: (domain, { registrarTag }) => changedDomain(domain, { status: domain.status, registrar_tag: registrarTag }),
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

/** What was charged. */
function cost({ operation }: OperationOutcome, request: { readonly price: Money }): object {
  const price = costOf(operation.toState(), request);
  return { price: majorUnits(price), currency: price.currency };
}

/** The same result for every process and run of the operation. */
export function operationResult(outcome: OperationOutcome): JsonResult {
  const { id, kind, request } = outcome.operation;
  const { warnings = [] } = outcome;
  const body = BODIES[kind] as Body<OperationKind>;
  return {
    status: kind === 'register' ? 201 : 200,
    headers: operationLocation(id),
    body: { ...body(outcome.domain.toState(), request, outcome), ...(warnings.length > 0 && { warnings }) },
  };
}
