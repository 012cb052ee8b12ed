// What the registrar's side of the service keeps: imports, reconciliations, messages and values of registries.
import type { ImportedNameState, NameImport } from '../../../domain/registrar/name-import';
import type { DifferenceKind } from '../../../domain/registrar/reconciliation';
import {
  digest,
  flag,
  instant,
  integer,
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

export const ImportTable = table(
  'imports',
  {
    id: key(varchar(40)),
    account_id: varchar(40),
    actor: actor(),
    registry: varchar(100),
    status: varchar<NameImport['status']>(12),
    /** The cursor of the next page of the registry's list. */
    page_cursor: named('cursor', nullable(text())),
    error: nullable(text()),
    created_at: instant(),
    updated_at: instant(),
    finished_at: nullable(instant()),
  },
  {
    indices: {
      imports_of_account: ['account_id', 'created_at', 'id'],
      imports_to_do: ['finished_at', 'created_at', 'id'],
    },
    references: [['account_id', 'accounts', 'id']],
  },
);
export type ImportRow = RowOf<typeof ImportTable>;

export const ImportedNameTable = table(
  'import_names',
  {
    import_id: key(varchar(40)),
    name: key(varchar(253)),
    state: varchar<ImportedNameState>(12),
    attempts: integer(),
    reason: nullable(text()),
  },
  {
    indices: { import_names_by_state: ['import_id', 'state', 'attempts', 'name'] },
    references: [['import_id', 'imports', 'id']],
  },
);
export type ImportedNameRow = RowOf<typeof ImportedNameTable>;

export const ReconciliationTable = table('reconciliations', {
  registry: key(varchar(100)),
  finished_at: instant(),
  compared: integer(),
  listed: flag(),
  differences: integer(),
});
export type ReconciliationRow = RowOf<typeof ReconciliationTable>;

export const DifferenceTable = table(
  'registry_differences',
  {
    registry: key(varchar(100)),
    name: key(varchar(253)),
    kind: key(varchar<DifferenceKind>(20)),
    /** NULL if no account here has the name. */
    account_id: nullable(varchar(40)),
    domain_id: nullable(varchar(40)),
    ours: text(),
    theirs: text(),
  },
  { indices: { differences_of_account: ['account_id', 'name'] } },
);
export type DifferenceRow = RowOf<typeof DifferenceTable>;

/** Registry messages that could not be processed. Their ids can have any length, hence the digest. */
export const DeadLetterTable = table(
  'dead_letters',
  {
    registry: key(varchar(100)),
    message_digest: notInState(key(digest())),
    message: longText('mediumtext'),
    received_at: instant(),
  },
  { indices: { dead_letters_by_time: ['received_at'] } },
);
export type DeadLetterRow = RowOf<typeof DeadLetterTable>;

/** What registry adapters store (`StoredValues`). Not swept: a removed id of a contact would cost a second contact (docs/epp.md, Contacts). */
export const RegistryValueTable = table('registry_values', {
  registry: key(varchar(32)),
  name: key(varchar(100)),
  content: varchar(500),
});
