import type { BulkAction, BulkError, BulkItemState, BulkStep } from '../../../domain/portfolio/bulk-job';
import type { DesiredState } from '../../../domain/portfolio/desired-state';
import {
  bigint,
  flag,
  instant,
  integer,
  json,
  key,
  longText,
  named,
  notInState,
  nullable,
  optional,
  smallint,
  text,
  varchar,
} from '../database/columns';
import { table, type RowOf } from '../database/table';
import { actor } from '../access/actor-column';
import { bulkStep } from './bulk-step-column';

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
    action: bulkStep<BulkAction>(longText('mediumtext')),
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
    own_action: nullable(bulkStep<BulkStep>(longText('mediumtext'))),
    undo_action: named('undo', nullable(json<BulkStep>())),
    /** Whether it has an `undo_action`, for the index. */
    undoable: notInState(flag()),
    state: varchar<BulkItemState>(12),
    attempts: integer(),
    error: nullable(json<BulkError>()),
    sealed_auth_code: optional(text()),
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

/** The desired state that was last applied to each name. */
export const DesiredStateTable = table(
  'desired_states',
  {
    domain_id: key(varchar(40)),
    account_id: varchar(40),
    name: varchar(253),
    state: json<DesiredState>(longText('mediumtext')),
    zone_version: bigint(),
    actor: actor(),
    applied_at: instant(),
    drifted_at: nullable(instant()),
    only_settings_drifted: notInState(nullable(smallint())),
    /** Sum of `driftSum` since the state was applied; NULL if unknown. */
    records_drift: notInState(nullable(bigint())),
  },
  {
    indices: {
      desired_states_by_name: ['account_id', 'name'],
      desired_states_by_drift: ['account_id', 'drifted_at'],
    },
  },
);
export type DesiredStateRow = RowOf<typeof DesiredStateTable>;

/** Names that an account had: registrations that ended here, and what it moved to another account. Kept as long as the account. */
export const GoneNameTable = table('gone_names', {
  account_id: key(varchar(40)),
  name: key(varchar(253)),
});

/** Named filters of the domain list. */
export const SavedViewTable = table('saved_views', {
  account_id: key(varchar(40)),
  name: key(varchar(40)),
  query: text(),
});
