import { OPERATOR, SERVICE } from '../../domain/access/actor';
import type { AuditAction, AuditFact } from '../../domain/access/audit-entry';
import type { EventFact } from '../../domain/access/events/account-event';
import type { DomainState } from '../../domain/registration/domain';
import type { Operation } from '../../domain/registration/operations/operation';
import type { OperationKind } from '../../domain/registration/operations/operation-request';
import { domainChanged } from './domain-audit';

const ACTIONS: Record<OperationKind, AuditAction> = {
  register: 'domain.registered',
  renew: 'domain.renewed',
  set_nameservers: 'domain.nameservers_changed',
  update_glue: 'domain.glue_changed',
  set_registrant: 'domain.registrant_changed',
  set_transfer_lock: 'domain.transfer_lock_changed',
  set_delegation_signers: 'domain.ds_changed',
  set_registrar_renewal: 'domain.auto_renewal_changed',
  issue_auth_code: 'domain.auth_code_issued',
  withdraw_auth_code: 'domain.auth_code_withdrawn',
  approve_transfer: 'domain.transfer_approved',
  reject_transfer: 'domain.transfer_rejected',
  release: 'domain.released',
  restore: 'domain.restored',
  delete: 'domain.deleted',
};

interface SettledOperation {
  readonly at: Date;
  readonly operation: Operation;
  readonly before: DomainState;
  readonly after: DomainState;
}

/** The audit entry of a finished operation, if it changed something. A rejection counts only if it ended a registration or its registry data was adopted. */
export function operationFact({ at, operation, before, after }: SettledOperation): AuditFact | undefined {
  const { actor, request, status } = operation.toState();
  const refused = status === 'failed' && request.kind === 'register';
  if (status === 'failed' && !refused) {
    const adopted = domainChanged({ at, actor: SERVICE, action: 'domain.synchronized', before, after });
    return Object.keys(adopted.after).length > 0 ? adopted : undefined;
  }
  if (status !== 'succeeded' && !refused) return undefined;
  const fact = domainChanged({ at, actor, action: refused ? 'domain.refused' : ACTIONS[request.kind], before, after });
  return request.kind === 'release' ? { ...fact, after: { ...fact.after, registrarTag: request.registrarTag } } : fact;
}

/** The audit entry of an operation that the operator ended, beside that of its effect. */
export function operationSettled({ at, operation, after }: Omit<SettledOperation, 'before'>): AuditFact {
  const { id, request, status, charged } = operation.toState();
  return {
    at,
    actor: OPERATOR,
    action: 'operation.settled',
    accountId: after.accountId,
    domain: { id: after.id, name: after.name },
    subject: id,
    before: { state: 'uncertain' },
    after: { state: status, kind: request.kind, ...(charged && { charged: `${charged.minor} ${charged.currency}` }) },
  };
}

/** The audit entry of a registration whose registrant the registry did not take; the name is registered nevertheless. */
export function registrantRefused({ at, operation, after }: Omit<SettledOperation, 'before'>): AuditFact | undefined {
  const { request, status } = operation.toState();
  if (status !== 'succeeded' || request.kind !== 'register' || request.registrantRefused === undefined)
    return undefined;
  return {
    at,
    actor: SERVICE,
    action: 'domain.registrant_refused',
    accountId: after.accountId,
    domain: { id: after.id, name: after.name },
    subject: null,
    before: {},
    after: { reason: request.registrantRefused },
  };
}

/** The events of an operation that has come to an end, or whose outcome has become unknown. Its effect on the domain has an audit entry. */
export function operationEvents(
  { at, operation, after }: Omit<SettledOperation, 'before'>,
  wasUncertain: boolean,
): readonly EventFact[] {
  const { id, actor, request, status, error, uncertainSince } = operation.toState();
  const type = status === 'succeeded' || status === 'failed' ? (`operation.${status}` as const) : 'operation.uncertain';
  if (type === 'operation.uncertain' && (wasUncertain || uncertainSince === null)) return [];
  const { accountId, name } = after;
  const shown = error && { code: error.code, message: error.message };
  const about = { accountId, at, actor, domain: { id: after.id, name } };
  const data = { operation_id: id, kind: request.kind, state: status, error: shown };
  const isFailedRenewal = status === 'failed' && request.kind === 'renew';
  return [
    { ...about, type, data },
    ...(isFailedRenewal
      ? [{ ...about, type: 'domain.renewal_failed' as const, data: { operation_id: id, error: shown } }]
      : []),
  ];
}
