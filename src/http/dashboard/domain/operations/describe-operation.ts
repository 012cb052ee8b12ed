import type { OperationKind, OperationRequest } from '../../../../domain/registration/operations/operation-request';
import type { OperationState, OperationStatus } from '../../../../domain/registration/operations/operation';
import { registrantName } from '../../../../domain/registration/registrant';
import { isSame } from '../../../../domain/shared/money';
import { formatPrice } from '../../layout/money';
import type { Tone } from '../../layout/components';

type RequestOf<K extends OperationKind> = Extract<OperationRequest, { kind: K }>;

const REQUEST_TEXTS: { readonly [K in OperationKind]: (request: RequestOf<K>) => string } = {
  register: ({ years, price: agreed }) => `Register for ${formatYears(years)} at ${formatPrice(agreed)}`,
  renew: ({ years, price: agreed }) => `Renew for ${formatYears(years)} at ${formatPrice(agreed)}`,
  set_nameservers: ({ hosts }) => `Change the nameservers to ${hosts.join(', ')}`,
  update_glue: ({ hosts }) => `Send the registry the addresses of the nameservers ${hosts.join(', ')}`,
  set_registrant: ({ registrant }) => `Change the registrant to ${registrantName(registrant)}`,
  set_transfer_lock: ({ locked }) => (locked ? 'Turn the transfer lock on' : 'Turn the transfer lock off'),
  set_delegation_signers: ({ signers: dsRecords }) =>
    dsRecords.length === 0
      ? 'Remove the DS records at the registry'
      : `Set the DS records of the keys ${dsRecords.map(({ keyTag }) => keyTag).join(', ')} at the registry`,
  set_registrar_renewal: ({ enabled, autoRenew }) =>
    enabled
      ? 'Turn renewal by the registrar on'
      : `Turn renewal by the registrar off${autoRenew ? '; this service renews the domain' : ''}`,
  issue_auth_code: () => 'Issue an auth code',
  withdraw_auth_code: () => 'Withdraw the expired auth code',
  approve_transfer: () => 'Approve the transfer to another registrar',
  reject_transfer: () => 'Reject the transfer to another registrar',
  release: ({ registrarTag }) => `Release to the registrar ${registrarTag}`,
  restore: ({ price: agreed }) => `Restore from redemption at ${formatPrice(agreed)}`,
  delete: ({ within }) =>
    within === 'add_grace'
      ? 'Delete with a refund, within the add grace period'
      : within === 'before_renewal'
        ? 'Delete before the registry renews it, because auto-renewal is off'
        : 'Delete, because it was not renewed in time',
};

const STATUSES: Readonly<Record<OperationStatus, { readonly label: string; readonly tone: Tone }>> = {
  queued: { label: 'queued', tone: 'plain' },
  running: { label: 'in progress', tone: 'plain' },
  succeeded: { label: 'done', tone: 'good' },
  failed: { label: 'refused', tone: 'bad' },
  uncertain: { label: 'outcome unknown', tone: 'warning' },
};

/** The operation as a sentence. */
export function describeRequest({ request }: OperationState): string {
  const describe = REQUEST_TEXTS[request.kind] as (request: OperationRequest) => string;
  return describe(request);
}

export function describeStatus({ status }: OperationState): { readonly label: string; readonly tone: Tone } {
  return STATUSES[status];
}

/** The result, if the status alone does not show it. */
export function describeResult({ status, error, attempts, charged, request }: OperationState): string | undefined {
  if (charged && 'price' in request && !isSame(charged, request.price))
    return `The registry charged ${formatPrice(charged)}.`;
  if (request.kind === 'register' && request.registrantRefused !== undefined) return describeRegistrant(request);
  if (status === 'succeeded' && !charged && 'price' in request)
    return `The registry did not report what it charged. The agreed price is ${formatPrice(request.price)}.`;
  if (status === 'failed') return error?.message;
  if (status === 'queued' && error)
    return 'Waiting because the registry is unavailable. It is sent as soon as the registry responds.';
  if (status === 'uncertain' && request.kind === 'renew' && request.undecided)
    return 'The registry has accepted the renewal and has not decided on it yet. We keep checking. Do not order it again at the registry.';
  if (status === 'uncertain')
    return `The registry did not respond to ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}. We check the outcome before each retry, so nothing is done twice.`;
  return undefined;
}

function describeRegistrant({ registrantRefused = '' }: RequestOf<'register'>): string {
  return `The registry did not take the registrant and may have another one: ${registrantRefused}. Correct the registrant.`;
}

function formatYears(years: number): string {
  return `${years} ${years === 1 ? 'year' : 'years'}`;
}
