import type { Webhook } from '../../../src/domain/access/webhooks/webhook';

/** An active webhook for all events of its account. */
export function aWebhook(given: Partial<Webhook> & { readonly createdAt: Date }): Webhook {
  return {
    id: 'whk_1',
    accountId: 'acc_1',
    url: 'https://hooks.example.com/',
    description: '',
    types: null,
    domains: null,
    tags: null,
    status: 'active',
    reason: null,
    secret: 'sealed',
    formerSecret: null,
    failingSince: null,
    heldUntil: null,
    updatedAt: given.createdAt,
    finishedAt: null,
    ...given,
  };
}
