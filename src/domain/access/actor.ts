import type { ApprovalRule } from './approvals/approval-rule';
import type { KeyLimits } from './key-limits';

/**
 * Who caused a change: an API key, a dashboard user, the operator (command line) or the service itself. A key or user that makes a
 * request has its limits with it (`actorOfKey`, `actorOfUser`), and the use cases apply them; only the id is stored.
 * The actor of a request has the client's address, for the audit log.
 */
export type Actor =
  | {
      readonly kind: 'key';
      readonly id: string;
      readonly limits?: KeyLimits;
      /** Those of the account, unless what the actor does was accepted by someone else. */
      readonly approvalRules?: readonly ApprovalRule[];
      readonly isAccepted?: true;
      readonly address?: string;
    }
  | {
      readonly kind: 'user';
      readonly id: string;
      readonly limits?: KeyLimits | undefined;
      /** Set if the user may not unlock, transfer out and delete domains. */
      readonly keepsDomains?: boolean;
      readonly approvalRules?: readonly ApprovalRule[];
      readonly isAccepted?: true;
      readonly address?: string;
    }
  | { readonly kind: 'operator' }
  | { readonly kind: 'service' };

/** The account and actor of a query. */
export interface Reader {
  readonly accountId: string;
  readonly actor: Actor;
}

/** The account and actor of a command. */
export interface Requester extends Reader {
  /** Reserved id for the operation that the command creates, so that a repeated request can find it. */
  readonly operationId?: string | undefined;
}

export const OPERATOR: Actor = { kind: 'operator' };
export const SERVICE: Actor = { kind: 'service' };

/** Formats an actor for storage and search: `key:k7f3…`, `user:usr_…`, `operator`, `service`. */
export function actorText(actor: Actor): string {
  return 'id' in actor ? `${actor.kind}:${actor.id}` : actor.kind;
}

/** The address of the client whose request it is, if it is one. */
export function addressOf(actor: Actor): string | undefined {
  return 'address' in actor ? actor.address : undefined;
}

/** Whether no rule of the account asks for a second person, because there was one, or for the operator. */
export function isAccepted(actor: Actor): boolean {
  return !('id' in actor) || actor.isAccepted === true;
}

/** Parses what `actorText` wrote. @throws TypeError for other text */
export function parseActor(text: string): Actor {
  if (text === 'operator' || text === 'service') return { kind: text };
  const [kind, id] = text.split(/:(.*)/s);
  if ((kind === 'key' || kind === 'user') && id) return { kind, id };
  throw new TypeError(`not an actor: ${text}`);
}

/** The rules that the account of a key or a user has. */
export function approvalRulesOf(actor: Actor): readonly ApprovalRule[] {
  return 'approvalRules' in actor ? (actor.approvalRules ?? []) : [];
}
