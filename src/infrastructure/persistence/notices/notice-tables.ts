import type { MailStatus } from '../../../domain/access/notices/mail';
import type { MailData, MailKind } from '../../../domain/access/notices/notice';
import {
  instant,
  integer,
  json,
  key,
  named,
  notInState,
  nullable,
  partOf,
  sequence,
  text,
  varchar,
} from '../database/columns';
import { table, type RowOf } from '../database/table';

/** Notices that wait to be addressed. They outlive domains, so no foreign key refers to those. */
export const NoticeTable = table('notices', {
  /** In the order of insertion. */
  sequence: sequence(),
  kind: varchar<MailKind>(24),
  cause: varchar(160),
  noticed_at: named('at', instant()),
  account_id: nullable(varchar(40)),
  domain_id: partOf('domain', 'id', nullable(varchar(40))),
  domain_name: partOf('domain', 'name', nullable(varchar(253))),
  data: json<MailData>(),
});
export type NoticeRow = RowOf<typeof NoticeTable>;

/** The queue of mails, and what became of them. */
export const MailTable = table(
  'mails',
  {
    id: key(varchar(40)),
    cause: varchar(160),
    recipient: varchar(40),
    kind: varchar<MailKind>(24),
    noticed_at: named('at', instant()),
    account_id: nullable(varchar(40)),
    user_id: nullable(varchar(40)),
    domain_id: partOf('domain', 'id', nullable(varchar(40))),
    domain_name: partOf('domain', 'name', nullable(varchar(253))),
    data: json<MailData>(),
    address: varchar(254),
    sealed_secret: nullable(text()),
    status: varchar<MailStatus>(8),
    attempts: integer(),
    send_until: instant(),
    /** When it is tried next, or the claim of the process that sends it ends; NULL when it has ended. */
    due_at: notInState(nullable(instant())),
    claimed_by: notInState(nullable(varchar(40))),
    ended_at: nullable(instant()),
    response: nullable(varchar(500)),
  },
  {
    indices: {
      mails_by_due: ['status', 'due_at'],
      mails_by_account: ['account_id', 'id'],
      mails_by_user: ['user_id', 'id'],
      mails_by_end: ['ended_at'],
    },
    uniques: { mails_by_cause: ['cause', 'recipient'] },
  },
);
export type MailRow = RowOf<typeof MailTable>;

export const MailSettingsTable = table('mail_settings', {
  person_id: key(varchar(40)),
  time_zone: varchar(64),
  switched_off: json<readonly string[]>(),
});
export type MailSettingsRow = RowOf<typeof MailSettingsTable>;
