import { includesType, OTHER_TYPES, type WritableType } from '../../../domain/dns/records/types/record-types';
import type { ListedRecord } from '../../../application/dns/records/list-records';
import type { DomainState } from '../../../domain/registration/domain';
import { isAllowed } from '../../../domain/registration/domain-status';
import { DomainLayout } from '../layout/domain/domain-layout';
import { displayName, STATUS_LABELS } from '../layout/domain/domain-labels';
import type { FormIssues } from '../form-issues';
import { PostForm, type FormValues } from '../layout/forms';
import { ListFilterForm } from '../layout/list-filter-form';
import { ListStatus } from '../layout/list-status';
import type { ListPage } from '../list-page';
import { Pager } from '../layout/pager';
import { Empty, Table } from '../layout/components';
import { RecordFields, RecordWarnings } from './record-fields';
import { BULK_FORM, DELETE_FORM, EditRow, RecordRow } from './record-row';
import { SeveralRecordsForm } from '../zone/several-records';
import { MayChangeRecords, useMayChangeRecords } from '../zone/may-change-records';

interface RecordsQuery {
  readonly search: string;
  readonly type: string;
}

export interface RecordsPageProps {
  readonly domain: DomainState;
  readonly query: RecordsQuery;
  /** Those that are switched on. */
  readonly types: readonly WritableType[];
  readonly page: ListPage<ListedRecord>;
  /** Submitted values of the form for a new record, with their issues. */
  readonly adding?: { readonly values: FormValues; readonly issues?: FormIssues | undefined } | undefined;
  readonly editing?:
    | {
        readonly id: string;
        readonly values: FormValues;
        readonly issues?: FormIssues | undefined;
        readonly isConflict?: boolean | undefined;
      }
    | undefined;
}

const NEW_RECORD: FormValues = { type: 'A', name: '', ttl: '', caa_flags: '0', caa_tag: 'issue' };

export function RecordsPage({ domain, query, types, page, adding, editing }: RecordsPageProps) {
  const records = page.items;
  const path = `/domains/${domain.id}/records`;
  return (
    <DomainLayout domain={domain} tab="records">
      <div hx-get={`/domains/${domain.id}/publication`} hx-trigger="load" hx-select="#publication" hx-swap="outerHTML">
        <p class="small">
          <a href={`/domains/${domain.id}/publication`}>Check whether these records are published</a>
        </p>
      </div>
      {!isAllowed(domain.status, 'change DNS records') && (
        <p>The records cannot be changed, because the domain is {STATUS_LABELS[domain.status].label}.</p>
      )}
      <MayChangeRecords domain={domain}>
        <details
          class="card collapsible"
          data-create
          open={adding !== undefined || (records.length === 0 && query.search === '' && query.type === '')}
        >
          <summary>Add a record</summary>
          <PostForm id="new" action={path} values={adding?.values ?? NEW_RECORD} issues={adding?.issues}>
            <RecordFields zoneName={displayName(domain.name)} types={types} id="new" autofocus={adding !== undefined} />
            <RecordWarnings check={`${path}/check`} />
            <button class="primary" type="submit">
              Add record
            </button>
          </PostForm>
        </details>
        <details class="card collapsible">
          <summary>Add several records</summary>
          <SeveralRecordsForm domain={domain} />
        </details>
        <p class="actions mt-4">
          <a class="button" href={`/domains/${domain.id}/templates`}>
            Use a template
          </a>
          <a class="button" href={`/domains/${domain.id}/mail`}>
            SPF and DMARC
          </a>
        </p>
      </MayChangeRecords>
      <FilterForm path={path} query={query} types={types} />
      <ListStatus
        count={records.length}
        nouns={['record', 'records']}
        isComplete={page.next === undefined && page.first === undefined}
      />
      <section class="card flush" id="records">
        {records.length === 0 ? (
          <NoRecords path={path} query={query} />
        ) : (
          <RecordTable domain={domain} types={types} records={records} editing={editing} />
        )}
        <Pager page={page} />
      </section>
    </DomainLayout>
  );
}

function FilterForm({
  path,
  query: { search, type },
  types,
}: Pick<RecordsPageProps, 'query' | 'types'> & { readonly path: string }) {
  return (
    <ListFilterForm
      action={path}
      list="records"
      search={search}
      placeholder="Part of a name, content or comment"
      class="mt-5"
    >
      <div class="field">
        <label for="filter-type">Type</label>
        <select id="filter-type" name="type">
          <option value="">All</option>
          {types
            .filter((each) => each !== OTHER_TYPES)
            .map((each) => (
              <option key={each} value={each} selected={each === type}>
                {each}
              </option>
            ))}
        </select>
      </div>
    </ListFilterForm>
  );
}

function NoRecords({ path, query: { search, type } }: { readonly path: string; readonly query: RecordsQuery }) {
  if (search === '' && type === '') return <Empty title="No records yet" />;
  return (
    <Empty title="No records found">
      <p>
        No record matches the filter. <a href={path}>Show all records</a>
      </p>
    </Empty>
  );
}

function RecordTable({
  domain,
  types,
  records,
  editing,
}: Pick<RecordsPageProps, 'domain' | 'types' | 'editing'> & { readonly records: readonly ListedRecord[] }) {
  const deletePath = `/domains/${domain.id}/records/delete`;
  const mayWrite = useMayChangeRecords(domain);
  const selectAll = mayWrite && (
    <input type="checkbox" data-check-all="ids" aria-label="Select all" data-scripted hidden />
  );
  return (
    <>
      <Table
        caption={`DNS records of ${displayName(domain.name)}`}
        columns={[selectAll, 'Name', 'Type', 'Content', 'TTL', <span class="visually-hidden">Actions</span>]}
      >
        {records.map((record) =>
          mayWrite && editing?.id === record.id ? (
            <EditRow key={record.id} domain={domain} record={record} types={types} {...editing} />
          ) : (
            <RecordRow
              key={record.id}
              domain={domain}
              record={record}
              isEditable={includesType(types, record.type)}
              isWritable={mayWrite}
            />
          ),
        )}
      </Table>
      {mayWrite && (
        <div class="table-foot">
          <PostForm action={deletePath} elementId={DELETE_FORM} />
          <PostForm action={deletePath} elementId={BULK_FORM} class="inline-form">
            <button class="quiet" type="submit">
              Delete selected records
            </button>
          </PostForm>
        </div>
      )}
    </>
  );
}
