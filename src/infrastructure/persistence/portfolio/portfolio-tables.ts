import type { BulkItemState } from '../../../domain/portfolio/bulk-job';
import { flag, instant, integer, key, longText, nullable, text, varchar } from '../database/columns';
import { table, type RowOf } from '../database/table';

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
    actor: varchar(60),
    /** JSON. */
    action: longText('mediumtext'),
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
    job_id: key(varchar(40)),
    domain_id: key(varchar(40)),
    name: varchar(253),
    operation_id: varchar(40),
    /** JSON. */
    own_action: nullable(text()),
    /** JSON. */
    undo_action: nullable(text()),
    undoable: flag(),
    state: varchar<BulkItemState>(12),
    attempts: integer(),
    /** JSON. */
    error: nullable(text()),
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
