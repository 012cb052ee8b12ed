import { instant, key, text, varchar } from '../database/columns';
import { table, type RowOf } from '../database/table';

/** The record templates of accounts. */
export const RecordTemplateTable = table(
  'record_templates',
  {
    id: key(varchar(40)),
    account_id: varchar(40),
    name: varchar(100),
    description: varchar(500),
    /** Lines of a zone file with variables. */
    records: text(),
    created_at: instant(),
    updated_at: instant(),
  },
  {
    indices: { record_templates_by_account: ['account_id', 'name', 'id'] },
    references: [['account_id', 'accounts', 'id']],
  },
);
export type RecordTemplateRow = RowOf<typeof RecordTemplateTable>;
