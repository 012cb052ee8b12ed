import { includesType, OTHER_TYPES, type WritableType } from '../../../domain/dns/records/types/record-types';
import { WEBSITE_TEMPLATE } from '../../../domain/dns/templates/built-in-templates';
import type { ListedRecord } from '../../../application/dns/records/list-records';
import type { LastChange } from '../../../application/ports/dns/zone-queries';
import type { DomainState } from '../../../domain/registration/domain';
import { isAllowed } from '../../../domain/registration/domain-status';
import type { ActorNames } from '../activity/actor-names';
import { DomainLayout } from '../layout/domain/domain-layout';
import { displayName, STATUS_LABELS } from '../layout/domain/domain-labels';
import type { FormIssues } from '../form-issues';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { ListFilterForm } from '../layout/forms/list-filter-form';
import { Icon } from '../layout/icon';
import { ListStatus } from '../layout/list-status';
import type { ListPage } from '../list-page';
import { Explain } from '../layout/explain';
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
  /** By record id. */
  readonly lastChanges: ReadonlyMap<string, LastChange>;
  readonly names: ActorNames;
  /** How many records the zone has. */
  readonly total: number | undefined;
  /** Whether a program has applied a desired state. */
  readonly hasState: boolean;
  /** Submitted values of the form for a new record, with their issues. */
  readonly adding?: { readonly values: FormValues; readonly issues?: FormIssues | undefined } | undefined;
  /** Of the record that was just added: the form stays open for the next one. */
  readonly added?: { readonly type: string; readonly ttl: string } | undefined;
  readonly editing?:
    | {
        readonly id: string;
        readonly values: FormValues;
        readonly issues?: FormIssues | undefined;
        readonly isConflict?: boolean | undefined;
      }
    | undefined;
}

/** A zone with more is also shown as a tree of names. */
const MANY_RECORDS = 50;
const NEW_RECORD: FormValues = { type: 'A', name: '', ttl: '', caa_flags: '0', caa_tag: 'issue' };

export function RecordsPage(props: RecordsPageProps) {
  const { domain, query, types, page, adding, added, total } = props;
  const autofocus = adding ? 'type' : added === undefined ? undefined : 'name';
  const records = page.items;
  const path = `/domains/${domain.id}/records`;
  return (
    <DomainLayout domain={domain} tab="records">
      <div hx-get={`/domains/${domain.id}/publication`} hx-trigger="load" hx-select="#publication" hx-swap="outerHTML">
        <p class="small">
          <a href={`/domains/${domain.id}/publication`}>Check whether these records are published</a>
        </p>
      </div>
      {props.hasState && (
        <p class="small">
          A program keeps these records:{' '}
          <a href={`/domains/${domain.id}/state`}>desired state, and what was changed by hand</a>
        </p>
      )}
      {!isAllowed(domain.status, 'change DNS records') && (
        <p>The records cannot be changed, because the domain is {STATUS_LABELS[domain.status].label}.</p>
      )}
      <div class="record-bar">
        <MayChangeRecords domain={domain}>
          <div class="record-tools">
            <details
              class="card collapsible"
              data-create
              open={autofocus !== undefined || (records.length === 0 && query.search === '' && query.type === '')}
            >
              <summary>
                <Icon name="plus" /> Add<span class="wide-text"> a record</span>
              </summary>
              <PostForm
                id="new"
                action={path}
                values={adding?.values ?? { ...NEW_RECORD, ...added }}
                issues={adding?.issues}
              >
                <RecordFields zoneName={displayName(domain.name)} types={types} id="new" autofocus={autofocus} />
                <RecordWarnings check={`${path}/check`} />
                <button class="primary" type="submit">
                  Add record
                </button>
              </PostForm>
            </details>
            <details class="card collapsible">
              <summary>
                Add several<span class="visually-hidden"> records</span>
              </summary>
              <SeveralRecordsForm domain={domain} />
            </details>
            <a class="button quiet" href={`/domains/${domain.id}/templates/${WEBSITE_TEMPLATE}`}>
              Website
            </a>
            <MoreTools domain={domain} />
          </div>
        </MayChangeRecords>
        <div class="toolbar">
          <FilterForm path={path} query={query} types={types} />
          <ListStatus
            count={records.length}
            nouns={['record', 'records']}
            isComplete={page.next === undefined && page.first === undefined}
            total={query.search === '' && query.type === '' ? total : undefined}
          />
          {total !== undefined && total > MANY_RECORDS && (
            <div class="toolbar-side">
              <a class="button quiet" href={`/domains/${domain.id}/names`}>
                Tree<span class="visually-hidden"> of the names of the zone</span>
              </a>
            </div>
          )}
        </div>
      </div>
      <section class="card flush" id="records">
        {records.length === 0 ? <NoRecords path={path} query={query} /> : <RecordTable {...props} records={records} />}
        <Pager page={page} />
      </section>
    </DomainLayout>
  );
}

/** What writes or explains several records at once. */
function MoreTools({ domain: { id } }: Pick<RecordsPageProps, 'domain'>) {
  return (
    <details class="dropdown">
      <summary class="button quiet">
        More<span class="visually-hidden"> tools for records</span>
      </summary>
      <ul class="dropdown-panel tool-menu">
        <li>
          <a href={`/domains/${id}/templates`}>Use a template</a>
        </li>
        <li>
          <a href={`/domains/${id}/mail`}>SPF and DMARC</a>
        </li>
        <li>
          <a href={`/domains/${id}/connected-services`}>Connected services</a>
        </li>
      </ul>
    </details>
  );
}

function FilterForm({
  path,
  query: { search, type },
  types,
}: Pick<RecordsPageProps, 'query' | 'types'> & { readonly path: string }) {
  return (
    <ListFilterForm action={path} list="records" search={search} placeholder="Part of a name, content or comment">
      <div class="field">
        <label for="filter-type" class="visually-hidden">
          Type
        </label>
        <select id="filter-type" name="type">
          <option value="">All types</option>
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
  lastChanges,
  names,
  editing,
}: Omit<RecordsPageProps, 'page'> & { readonly records: readonly ListedRecord[] }) {
  const deletePath = `/domains/${domain.id}/records/delete`;
  const mayWrite = useMayChangeRecords(domain);
  const selectAll = mayWrite && (
    <input type="checkbox" data-check-all="ids" aria-label="Select all" data-scripted hidden />
  );
  return (
    <>
      <Table
        caption={`DNS records of ${displayName(domain.name)}`}
        columns={[
          selectAll,
          'Name',
          'Type',
          'Content',
          <>
            TTL <Explain term="ttl" />
          </>,
          'Changed',
          <span class="visually-hidden">Actions</span>,
        ]}
      >
        {records.map((record) =>
          mayWrite && editing?.id === record.id ? (
            <EditRow key={record.id} domain={domain} record={record} types={types} {...editing} />
          ) : (
            <RecordRow
              key={record.id}
              domain={domain}
              record={record}
              lastChange={lastChanges.get(record.id)}
              names={names}
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
