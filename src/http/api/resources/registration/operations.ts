import { inject, injectable } from '../../../../application/ports/inject';
import type { OperationOutcome } from '../../../../application/operations/operation-outcome';
import { RegistryUnavailable } from '../../../../application/ports/registry/registry-errors';
import { FindOperation } from '../../../../application/registration/operations/find-operation';
import { ListOperations } from '../../../../application/registration/operations/list-operations';
import type { DomainState } from '../../../../domain/registration/domain';
import type { OperationState } from '../../../../domain/registration/operations/operation';
import type { OperationKind, OperationRequest } from '../../../../domain/registration/operations/operation-request';
import { isHosted, type DomainStatus } from '../../../../domain/registration/domain-status';
import { majorUnits, type Money } from '../../../../domain/shared/money';
import { operationLocation } from '../../../shared/error-handler';
import { pageOf } from '../../../shared/page-of';
import { ok, okStream, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest } from '../../api-request';
import { DEFAULT_LIMIT, pageRequest, pageResult, positionCursor } from '../../list-query';
import { presentDsRecord } from '../dns/signing';
import { shortRegistrant, changedDomain, registeredDomain } from './domains';

/** Operations at registries, and their outcomes. */
@injectable()
export class OperationsController {
  constructor(
    @inject(FindOperation) private readonly findOperation: FindOperation,
    @inject(ListOperations) private readonly operations: ListOperations,
  ) {}

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    const operation = await this.findOperation.execute({ ...caller, operationId: params.id });
    return ok(shownOperation(operation.toState()));
  }

  async listAll(request: ApiRequest): Promise<ApiResult> {
    const { limit, after } = pageRequest(request) ?? { limit: DEFAULT_LIMIT };
    const found = await this.operations.pageOfAccount(request.caller, limit + 1, after);
    return pageResult(
      { request, filters: [], ...pageOf(found, limit), limit, cursorOf: positionCursor },
      shownOperation,
    );
  }

  async list(request: ApiRequest<'id'>): Promise<ApiResult> {
    const { caller } = request;
    const { id } = request.params;
    const page = pageRequest(request);
    if (!page) return okStream(await this.operations.all(caller, id), shownOperation);
    const found = await this.operations.page(caller, id, page.limit + 1, page.after);
    return pageResult(
      { request, filters: [], ...pageOf(found, page.limit), limit: page.limit, cursorOf: positionCursor },
      shownOperation,
    );
  }
}

type RequestOf<K extends OperationKind> = Extract<OperationRequest, { kind: K }>;

/** What each kind of operation was asked for, in the words of the interface. */
const REQUESTS: { readonly [K in OperationKind]: (request: RequestOf<K>) => object } = {
  register: ({ years, price }) => ({ years, price: majorUnits(price), currency: price.currency }),
  renew: ({ years, price, currentExpiry = null }) => ({
    years,
    price: majorUnits(price),
    currency: price.currency,
    current_expiry: currentExpiry,
  }),
  set_nameservers: ({ hosts }) => ({ nameservers: hosts }),
  update_glue: ({ hosts }) => ({ hosts }),
  set_registrant: ({ registrant }) => ({ contacts: { registrant: shortRegistrant(registrant) } }),
  set_transfer_lock: ({ locked }) => ({ transfer_locked: locked }),
  set_delegation_signers: ({ signers: dsRecords }) => ({ ds: dsRecords.map(presentDsRecord) }),
  set_registrar_renewal: ({ enabled, autoRenew }) => ({
    auto_renew: autoRenew,
    renewed_by: enabled ? 'registrar' : 'service',
  }),
  issue_auth_code: () => ({}),
  withdraw_auth_code: () => ({}),
  approve_transfer: () => ({}),
  reject_transfer: () => ({}),
  release: ({ registrarTag }) => ({ registrar_tag: registrarTag }),
  restore: ({ price }) => ({ price: majorUnits(price), currency: price.currency }),
  delete: () => ({}),
};

/** What an operation was asked for, in the words of the interface. */
export function shownRequest(request: OperationRequest): object {
  return (REQUESTS[request.kind] as (request: OperationRequest) => object)(request);
}

function warningsOf({ request }: OperationState): object {
  if (request.kind !== 'register' || request.registrantRefused === undefined) return {};
  const { registrantRefused: reason } = request;
  return {
    warnings: [
      `The registry did not take the registrant and may have another one: ${reason}. Set it again with PUT /api/domains/{id}/contacts, or contact the registrar`,
    ],
  };
}

/** Without the auth code: the caller has it, or requests another one. */
function shownOperation(state: OperationState): object {
  const { kind } = state.request;
  return {
    id: state.id,
    domain_id: state.domainId,
    kind,
    request: shownRequest(state.request),
    state: state.status,
    attempts: state.attempts,
    transaction_id: state.attempts === 0 ? null : state.transactionId,
    next_attempt_at:
      state.status === 'queued' || state.status === 'uncertain' ? state.nextAttemptAt.toISOString() : null,
    uncertain_since: state.uncertainSince?.toISOString() ?? null,
    charged: state.charged && { amount: majorUnits(state.charged), currency: state.charged.currency },
    error: state.error && { code: state.error.code, message: state.error.message },
    ...warningsOf(state),
    created_at: state.createdAt.toISOString(),
    updated_at: state.updatedAt.toISOString(),
    finished_at: state.finishedAt?.toISOString() ?? null,
  };
}

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
  set_delegation_signers: ({ id, name }, { signers: dsRecords }) => ({ id, name, ds: dsRecords.map(presentDsRecord) }),
  set_registrar_renewal: (domain) => changedDomain(domain, { auto_renew: domain.autoRenew }),
  issue_auth_code: ({ id, name }, _request, { authCode }) => {
    if (!authCode)
      throw new RegistryUnavailable('The auth code was issued but could not be handed over; ask for another');
    return { id, name, auth_code: authCode.code, expires_at: authCode.expiresAt.toISOString() };
  },
  withdraw_auth_code: (domain) => changedDomain(domain, {}),
  approve_transfer: (domain) => changedDomain(domain, { status: statusAfterLeaving(domain) }),
  reject_transfer: (domain) => changedDomain(domain, { transfer_locked: domain.transferLocked }),
  release: (domain, { registrarTag }) =>
    changedDomain(domain, { status: statusAfterLeaving(domain), registrar_tag: registrarTag }),
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

/** A zone that stays is no domain. */
function statusAfterLeaving({ status }: DomainState): DomainStatus {
  return isHosted(status) ? 'transferred_out' : status;
}

/** What was charged. */
function cost({ operation }: OperationOutcome, request: { readonly price: Money }): object {
  const price = operation.toState().charged ?? request.price;
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
