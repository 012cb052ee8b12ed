/** Who caused a change: a caller's key, a person at the dashboard, the operator's command line, or the service by itself. */
export type Actor =
  | { readonly kind: 'key'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'operator' }
  | { readonly kind: 'service' };

/** On whose behalf a use case changes something. */
export interface Requester {
  readonly accountId: string;
  readonly actor: Actor;
  /** The id of the operation that comes of it, where one was reserved before anything was done. */
  readonly operationId?: string | undefined;
}

export const OPERATOR: Actor = { kind: 'operator' };
export const SERVICE: Actor = { kind: 'service' };

/** `key:k7f3…`, `user:usr_…`, `operator`, `service`: one text, so that it can be stored and searched for. */
export function actorText(actor: Actor): string {
  return 'id' in actor ? `${actor.kind}:${actor.id}` : actor.kind;
}

/** @throws TypeError for what `actorText` never wrote */
export function parseActor(text: string): Actor {
  if (text === 'operator' || text === 'service') return { kind: text };
  const [kind, id] = text.split(/:(.*)/s);
  if ((kind === 'key' || kind === 'user') && id) return { kind, id };
  throw new TypeError(`not an actor: ${text}`);
}
