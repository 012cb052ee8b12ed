import type { Actor } from '../../domain/access/actor';
import { difference, type AuditAction, type AuditFact, type AuditFacts } from '../../domain/access/audit-entry';
import { hostOf, type Webhook } from '../../domain/access/webhooks/webhook';

interface WebhookChange {
  readonly at: Date;
  readonly actor: Actor;
  readonly action: Extract<AuditAction, `webhook.${string}`>;
  /** Undefined if it is new. */
  readonly before?: Webhook | undefined;
  /** Undefined if it is removed. */
  readonly after?: Webhook | undefined;
}

/** Of its URL, only the host: the rest can be a secret of the receiver. Of its secret, that it was rotated. */
export function webhookChanged({ at, actor, action, before, after }: WebhookChange): AuditFact {
  const { id, accountId, url } = (after ?? before) as Webhook;
  const changed = difference(factsOf(before), factsOf(after));
  const hidden = before && after ? hiddenChanges(before, after) : {};
  return {
    accountId,
    at,
    actor,
    action,
    domain: null,
    subject: hostOf({ url }),
    before: changed.before,
    after: { ...changed.after, ...hidden },
    eventData: { webhook_id: id },
  };
}

function hiddenChanges(before: Webhook, after: Webhook): AuditFacts {
  return {
    ...(before.url !== after.url && hostOf(before) === hostOf(after) && { path: 'changed' }),
    ...(before.secret !== after.secret && { secret: 'rotated' }),
  };
}

function factsOf(webhook: Webhook | undefined): AuditFacts {
  if (!webhook) return {};
  const { description, types, domains, tags, status, reason } = webhook;
  return {
    host: hostOf(webhook),
    ...(description !== '' && { description }),
    ...(types && { types }),
    ...(domains && { domains }),
    ...(tags && { tags }),
    status,
    ...(reason && { reason }),
  };
}
