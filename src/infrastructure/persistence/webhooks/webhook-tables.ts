import type { EventType } from '../../../domain/access/events/account-event';
import type { AttemptResult, DeliveryStatus } from '../../../domain/access/webhooks/delivery';
import type { SwitchOffReason, WebhookStatus } from '../../../domain/access/webhooks/webhook';
import { instant, integer, json, key, named, nullable, partOf, text, varchar } from '../database/columns';
import { table, type RowOf } from '../database/table';

export const WebhookTable = table(
  'webhooks',
  {
    id: key(varchar(40)),
    account_id: varchar(40),
    url: text(),
    description: varchar(200),
    types: nullable(json<readonly string[]>()),
    domains: nullable(json<readonly string[]>()),
    tags: nullable(json<readonly string[]>()),
    status: varchar<WebhookStatus>(20),
    reason: nullable(varchar<SwitchOffReason>(20)),
    sealed_secret: named('secret', varchar(250)),
    former_secret: partOf('formerSecret', 'sealed', nullable(varchar(250))),
    former_until: partOf('formerSecret', 'until', nullable(instant())),
    failing_since: nullable(instant()),
    held_until: nullable(instant()),
    created_at: instant(),
    updated_at: instant(),
    /** When it was removed. */
    finished_at: nullable(instant()),
  },
  {
    indices: {
      webhooks_by_account: ['account_id', 'created_at', 'id'],
      webhooks_by_status: ['status', 'id'],
      webhooks_by_removal: ['finished_at'],
    },
    references: [['account_id', 'accounts', 'id']],
  },
);
export type WebhookRow = RowOf<typeof WebhookTable>;

export const DeliveryTable = table(
  'webhook_deliveries',
  {
    id: key(varchar(40)),
    webhook_id: varchar(40),
    event_id: varchar(40),
    type: varchar<EventType>(40),
    domain_name: nullable(varchar(253)),
    created_at: instant(),
    status: varchar<DeliveryStatus>(10),
    attempts: integer(),
    due_at: nullable(instant()),
    attempted_at: nullable(instant()),
    result: nullable(json<AttemptResult>()),
    finished_at: nullable(instant()),
  },
  {
    indices: {
      deliveries_by_webhook: ['webhook_id', 'created_at', 'id'],
      deliveries_by_status: ['webhook_id', 'status', 'created_at', 'id'],
      deliveries_by_due_time: ['webhook_id', 'due_at'],
      deliveries_by_end: ['finished_at'],
    },
    uniques: { deliveries_by_event: ['webhook_id', 'event_id'] },
    references: [['webhook_id', 'webhooks', 'id']],
  },
);
export type DeliveryRow = RowOf<typeof DeliveryTable>;
