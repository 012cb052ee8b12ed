import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { RECORD_TYPES } from '../../../domain/dns/records/record-type';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainFrame } from '../domain/domain-frame';
import { displayName } from '../domains/domain-words';
import type { FormIssues } from '../form-issues';
import { PostForm, type FormValues } from '../layout/forms';
import { ListFilter } from '../layout/list-filter';
import { ListStatus } from '../layout/list-status';
import { Pager } from '../layout/pager';
import { Empty, Table } from '../layout/parts';
import { RecordFields } from './record-fields';
import { BULK_FORM, DELETE_FORM, EditRow, RecordRow } from './record-row';

interface RecordsQuery {
  readonly search: string;
  readonly type: string;
}

export interface RecordsPageProps {
  readonly domain: DomainState;
  readonly query: RecordsQuery;
  readonly records: readonly DnsRecordState[];
  /** The address of the next page, where there is one. */
  readonly next: string | undefined;
  /** The address of the first page, where this is another. */
  readonly first: string | undefined;
  /** What is being added, where the form comes back. */
  readonly adding?: { readonly values: FormValues; readonly issues: FormIssues } | undefined;
  readonly editing?:
    { readonly id: string; readonly values: FormValues; readonly issues?: FormIssues | undefined } | undefined;
}

const NEW_RECORD: FormValues = { type: 'A', name: '', ttl: '', caa_flags: '0', caa_tag: 'issue' };

export function RecordsPage({ domain, query, records, next, first, adding, editing }: RecordsPageProps) {
  const path = `/domains/${domain.id}/records`;
  return (
    <DomainFrame domain={domain} tab="records">
      <div hx-get={`/domains/${domain.id}/publication`} hx-trigger="load" hx-select="#publication" hx-swap="outerHTML">
        <p class="small">
          <a href={`/domains/${domain.id}/publication`}>See whether the nameservers have these records</a>
        </p>
      </div>
      <details
        class="card fold"
        open={adding !== undefined || (records.length === 0 && query.search === '' && query.type === '')}
      >
        <summary>Add a record</summary>
        <PostForm id="new" action={path} values={adding?.values ?? NEW_RECORD} issues={adding?.issues} class="padded">
          <RecordFields zoneName={displayName(domain.name)} id="new" />
          <button class="primary" type="submit">
            Add the record
          </button>
        </PostForm>
      </details>
      <FilterForm path={path} query={query} />
      <ListStatus
        count={records.length}
        nouns={['record', 'records']}
        isWhole={next === undefined && first === undefined}
      />
      <section class="card flush" id="records">
        {records.length === 0 ? (
          <NoRecords path={path} query={query} />
        ) : (
          <RecordTable domain={domain} records={records} editing={editing} />
        )}
        <Pager next={next} label="More records" first={first} />
      </section>
    </DomainFrame>
  );
}

function FilterForm({ path, query: { search, type } }: { readonly path: string; readonly query: RecordsQuery }) {
  return (
    <ListFilter
      action={path}
      list="records"
      search={search}
      placeholder="Part of a name or a content"
      class="after-cards"
    >
      <div class="field">
        <label for="filter-type">Type</label>
        <select id="filter-type" name="type">
          <option value="">all</option>
          {RECORD_TYPES.map((each) => (
            <option key={each} value={each} selected={each === type}>
              {each}
            </option>
          ))}
        </select>
      </div>
    </ListFilter>
  );
}

function NoRecords({ path, query: { search, type } }: { readonly path: string; readonly query: RecordsQuery }) {
  if (search === '' && type === '') return <Empty title="No records yet." />;
  return (
    <Empty title="No record matches.">
      <p>
        <a href={path}>Show all records</a>
      </p>
    </Empty>
  );
}

function RecordTable({ domain, records, editing }: Pick<RecordsPageProps, 'domain' | 'records' | 'editing'>) {
  const deletion = `/domains/${domain.id}/records/delete`;
  const all = <input type="checkbox" data-check-all="ids" aria-label="Select all" data-scripted hidden />;
  return (
    <>
      <Table
        caption={`DNS records of ${displayName(domain.name)}`}
        columns={[all, 'Name', 'Type', 'Content', 'TTL', <span class="unseen">Actions</span>]}
      >
        {records.map((record) =>
          editing?.id === record.id ? (
            <EditRow key={record.id} domain={domain} {...editing} />
          ) : (
            <RecordRow key={record.id} domain={domain} record={record} />
          ),
        )}
      </Table>
      <div class="table-foot">
        <PostForm action={deletion} elementId={DELETE_FORM} />
        <PostForm action={deletion} elementId={BULK_FORM} class="inline-form">
          <button class="quiet" type="submit">
            Delete the selected records
          </button>
        </PostForm>
      </div>
    </>
  );
}
