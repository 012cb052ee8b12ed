import type { Actor } from '../../../domain/access/actor';
import type { PlannedChange } from '../../../domain/access/approvals/approval-rule';
import type { OperationKind, OperationRequest } from '../../../domain/registration/operations/operation-request';
import { assertNoApprovalNeeded } from './approval-needed';

/** What a rule calls a command for a registry; the others need no one. */
const CHANGES: Partial<Record<OperationKind, PlannedChange['kind']>> = {
  register: 'purchases',
  renew: 'purchases',
  restore: 'purchases',
  set_nameservers: 'nameservers',
  set_registrant: 'contacts',
  set_delegation_signers: 'dnssec',
  delete: 'deletion',
  set_transfer_lock: 'transfer_out',
  issue_auth_code: 'transfer_out',
  approve_transfer: 'transfer_out',
  release: 'transfer_out',
};

interface RequestedOperation {
  readonly domain: { readonly id: string; readonly tags: readonly string[] };
  readonly request: OperationRequest;
  readonly keepZone?: boolean | undefined;
}

/** @throws ApprovalNeeded */
export function assertOperationNeedsNoApproval(actor: Actor, { domain, request, keepZone }: RequestedOperation): void {
  const kind = CHANGES[request.kind];
  if (!kind || (request.kind === 'set_transfer_lock' && request.locked)) return;
  const change = { kind, tags: domain.tags, ...('price' in request && { total: request.price }) };
  assertNoApprovalNeeded(actor, change, () => ({ kind: 'operation', domainId: domain.id, request, keepZone }));
}
