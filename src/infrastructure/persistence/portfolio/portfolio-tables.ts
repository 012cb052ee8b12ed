import type { BulkAction, BulkError, BulkItemState, BulkStep } from '../../../domain/portfolio/bulk-job';
import {
  flag,
  instant,
  integer,
  json,
  key,
  longText,
  named,
  notInState,
  nullable,
  text,
  varchar,
} from '../database/columns';
import { table, type RowOf } from '../database/table';
import { actor } from '../access/actor-column';

/** Which of an account's domains have a term: `domain/portfolio/domain-terms`. Deleted domains have none. */
export const DomainTermTable = table(
  'domain_terms',
  {
    account_id: key(varchar(40)),
    term: key(varchar(260)),
    name: key(varchar(253)),
    domain_id: key(varchar(40)),
  },
  { indices: { terms_of_domain: ['domain_id'], domains_by_term: ['term'] } },
);

export const BulkJobTable = table(
  'bulk_jobs',
  {
    id: key(varchar(40)),
    account_id: varchar(40),
    actor: actor(),
    action: json<BulkAction>(longText('mediumtext')),
    total: integer(),
    undoes: nullable(varchar(40)),
    created_at: instant(),
    updated_at: instant(),
    finished_at: nullable(instant()),
  },
  {
    indices: {
      bulk_jobs_of_account: ['account_id', 'created_at', 'id'],
      bulk_jobs_to_do: ['finished_at', 'created_at', 'id'],
    },
    references: [['account_id', 'accounts', 'id']],
  },
);
export type BulkJobRow = RowOf<typeof BulkJobTable>;

export const BulkItemTable = table(
  'bulk_items',
  {
    job_id: notInState(key(varchar(40))),
    domain_id: key(varchar(40)),
    name: varchar(253),
    operation_id: varchar(40),
    own_action: nullable(json<BulkStep>()),
    undo_action: named('undo', nullable(json<BulkStep>())),
    /** Whether it has an `undo_action`, for the index. */
    undoable: notInState(flag()),
    state: varchar<BulkItemState>(12),
    attempts: integer(),
    error: nullable(json<BulkError>()),
  },
  {
    indices: {
      bulk_items_by_state: ['job_id', 'state', 'attempts', 'name'],
      bulk_items_undoable: ['job_id', 'state', 'undoable'],
    },
    references: [['job_id', 'bulk_jobs', 'id']],
  },
);
export type BulkItemRow = RowOf<typeof BulkItemTable>;

/** Named filters of the domain list. */
export const SavedViewTable = table('saved_views', {
  account_id: key(varchar(40)),
  name: key(varchar(40)),
  query: text(),
});
