import type { DsRecord } from '../../dns/delegation/ds-record';
import type { Money } from '../../shared/money';
import type { Registrant } from '../registrant';

/** The registry has accepted the command, and its reads do not show the effect yet: it is not sent again. */
type Accepted = true;

/** A registry command with the parameters to repeat it. Contains no secrets. */
export type OperationRequest =
  | {
      readonly kind: 'register';
      readonly years: number;
      readonly price: Money;
      readonly idnLanguage?: string;
      /** Why the registry may have another registrant than was ordered. */
      readonly registrantRefused?: string;
    }
  | {
      readonly kind: 'renew';
      readonly years: number;
      readonly price: Money;
      readonly currentExpiry?: string;
      /** The registry has accepted it and decides on it later, so it is not sent again. */
      readonly undecided?: true;
      readonly accepted?: Accepted;
    }
  | { readonly kind: 'set_nameservers'; readonly hosts: readonly string[] }
  /** Sends the registry the present addresses of these nameservers under the domain. */
  | { readonly kind: 'update_glue'; readonly hosts: readonly string[] }
  | { readonly kind: 'set_registrant'; readonly registrant: Registrant }
  | { readonly kind: 'set_transfer_lock'; readonly locked: boolean }
  /** Switches the registrar's own renewal; `autoRenew` is the account's setting afterwards. */
  | { readonly kind: 'set_registrar_renewal'; readonly enabled: boolean; readonly autoRenew: boolean }
  | { readonly kind: 'issue_auth_code' }
  | { readonly kind: 'withdraw_auth_code' }
  /** Of a transfer to another registrar. */
  | { readonly kind: 'approve_transfer' }
  | { readonly kind: 'reject_transfer' }
  /** Moves the domain to another registrar, without a request of that registrar. */
  | { readonly kind: 'release'; readonly registrarTag: string }
  /** Replaces the DS records at the registry; none ends the chain of trust. Its name and member are stored: docs/decisions/0025. */
  | { readonly kind: 'set_delegation_signers'; readonly signers: readonly DsRecord[] }
  | { readonly kind: 'restore'; readonly price: Money; readonly accepted?: Accepted }
  /** `add_grace`: requested by the account. `any_time`: by the service, after the renewal grace period. */
  | { readonly kind: 'delete'; readonly within: 'add_grace' | 'any_time' }
  /** By the service, because auto-renewal is off and the registry would renew the name at `currentExpiry`. */
  | { readonly kind: 'delete'; readonly within: 'before_renewal'; readonly currentExpiry: string };
export type OperationKind = OperationRequest['kind'];
export type RequestOf<K extends OperationKind> = Extract<OperationRequest, { kind: K }>;
