import type {
  OperationKind,
  OperationRequest,
  OperationState,
  OperationStatus,
} from '../../../domain/registration/operation';
import { isSame } from '../../../domain/shared/money';
import { price } from '../layout/money';
import type { Tone } from '../layout/parts';

type RequestOf<K extends OperationKind> = Extract<OperationRequest, { kind: K }>;

const WISHES: { readonly [K in OperationKind]: (request: RequestOf<K>) => string } = {
  register: ({ years, price: agreed }) => `Register for ${inYears(years)} at ${price(agreed)}`,
  renew: ({ years, price: agreed }) => `Renew for ${inYears(years)} at ${price(agreed)}`,
  set_nameservers: ({ hosts }) => `Use the nameservers ${hosts.join(', ')}`,
  set_registrant: ({ registrant }) => `Change the registrant to ${registrant.firstName} ${registrant.lastName}`,
  set_transfer_lock: ({ locked }) => (locked ? 'Lock against transfers' : 'Unlock for a transfer'),
  issue_auth_code: () => 'Issue an auth code',
  withdraw_auth_code: () => 'Withdraw the auth code, whose time is over',
  restore: ({ price: agreed }) => `Restore from redemption at ${price(agreed)}`,
  delete: ({ within }) =>
    within === 'add_grace' ? 'Delete and refund within the first days' : 'Let the name go: it was not renewed in time',
};

const STATES: Readonly<Record<OperationStatus, { readonly label: string; readonly tone: Tone }>> = {
  queued: { label: 'waiting', tone: 'plain' },
  running: { label: 'under way', tone: 'plain' },
  succeeded: { label: 'done', tone: 'good' },
  failed: { label: 'refused', tone: 'bad' },
  uncertain: { label: 'not certain', tone: 'warning' },
};

/** What was asked of the registry. */
export function wishOf({ request }: OperationState): string {
  const words = WISHES[request.kind] as (request: OperationRequest) => string;
  return words(request);
}

export function stateOf({ status }: OperationState): { readonly label: string; readonly tone: Tone } {
  return STATES[status];
}

/** What came of it, where the state alone does not say. */
export function outcomeOf({ status, error, attempts, charged, request }: OperationState): string | undefined {
  if (charged && 'price' in request && !isSame(charged, request.price))
    return `The registry charged ${price(charged)}.`;
  if (status === 'failed') return error?.message;
  if (status === 'queued' && error) return 'The registry has not been answering. It is asked as soon as it does.';
  if (status === 'uncertain')
    return `The registry’s answer is not known after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}. We look at the registry before anything is repeated, so nothing is done twice.`;
  return undefined;
}

function inYears(years: number): string {
  return `${years} ${years === 1 ? 'year' : 'years'}`;
}
