import type { OperationKind, OperationRequest, OperationState } from '../../../domain/registration/operation';
import { shortRegistrant } from './domain-presenter';
import { presentDsRecord } from './dns/signing-presenter';
import { majorUnits } from '../../../domain/shared/money';

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
  set_delegation_signers: ({ signers }) => ({ ds: signers.map(presentDsRecord) }),
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
export function shownOperation(state: OperationState): object {
  const { kind } = state.request;
  const request = REQUESTS[kind] as (request: OperationRequest) => object;
  return {
    id: state.id,
    domain_id: state.domainId,
    kind,
    request: request(state.request),
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
