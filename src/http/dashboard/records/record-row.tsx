import type { WritableType } from '../../../domain/dns/records/types/record-types';
import { RECORD_NUMBERS } from '../../../domain/dns/records/types/type-definition';
import type { ListedRecord } from '../../../application/dns/records/list-records';
import type { LastChange } from '../../../application/ports/dns/zone-queries';
import type { AliasStatus } from '../../../application/ports/dns/alias-repository';
import { ADDRESS_TYPES } from '../../../domain/dns/alias/alias-chain';
import { DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import { fullOwnerName } from '../../../domain/dns/records/record-name';
import type { DomainState } from '../../../domain/registration/domain';
import { getActorName, type ActorNames } from '../activity/actor-names';
import { buildUrl } from '../build-url';
import { displayName } from '../layout/domain/domain-labels';
import type { FormIssues } from '../form-issues';
import { excerptOf, FoldedText, MAX_IN_LINE } from '../layout/folded-text';
import { FormActions } from '../layout/forms/form-actions';
import { Icon } from '../layout/icon';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { Badge, Cell, Copyable, Day, Row } from '../layout/components';
import { RecordFields, RecordWarnings } from './record-fields';
import { RecordTypeName } from './record-type';

/** Id of the form of the rows' check boxes. */
export const BULK_FORM = 'bulk';
/** Id of the form of the rows' delete buttons. One form per row would double a long page. */
export const DELETE_FORM = 'delete';

export function RecordRow({
  domain,
  record,
  lastChange,
  names,
  isEditable,
  isWritable,
}: {
  readonly domain: DomainState;
  readonly record: ListedRecord;
  /** Undefined if the history no longer has it. */
  readonly lastChange: LastChange | undefined;
  readonly names: ActorNames;
  /** Whether the form can hold records of the type. */
  readonly isEditable: boolean;
  readonly isWritable: boolean;
}) {
  const { id, name, type, content, ttl } = record;
  const edit = `/domains/${domain.id}/records?edit=${id}`;
  const label = `${type} ${name}`;
  return (
    <Row id={id} class="record-row">
      <Cell class="select-cell">
        {isWritable && (
          <input
            type="checkbox"
            name="ids"
            value={id}
            form={BULK_FORM}
            aria-label={`Select ${label} ${excerptOf(content)}`}
          />
        )}
      </Cell>
      <Cell class="main-cell">
        <strong>{name}</strong>
      </Cell>
      <Cell label="Type">
        <RecordTypeName type={type} />
      </Cell>
      <Cell label="Content" class="content-cell">
        <div class="record-content">
          <Numbers record={record} />
          <FoldedText text={content} max={MAX_IN_LINE} />
          <Notes record={record} />
        </div>
        {record.alias && <Resolution alias={record.alias} />}
      </Cell>
      <Cell label="TTL">{ttl}</Cell>
      <Cell label="Changed" class="changed-cell">
        <span class="small" title={lastChange && `by ${getActorName(lastChange.actor, names)}`}>
          <a href={buildUrl(`/domains/${domain.id}/history`, { record: id })}>
            <span class="visually-hidden">Changed </span>
            <Day at={lastChange?.at ?? record.updatedAt} />
            <span class="visually-hidden">: history of {label}</span>
          </a>
          {lastChange && <span class="changed-by"> by {getActorName(lastChange.actor, names)}</span>}
        </span>
      </Cell>
      <Cell class="row-actions">
        {isWritable && isEditable && (
          <a
            class="button quiet"
            href={edit}
            hx-get={edit}
            hx-select={`#${id}`}
            hx-target={`#${id}`}
            hx-swap="outerHTML"
          >
            <Icon name="pencil" />
            <span class="visually-hidden">Edit {label}</span>
          </a>
        )}
        {isWritable && (
          <button class="quiet danger" type="submit" form={DELETE_FORM} name="ids" value={id}>
            <Icon name="trash-2" />
            <span class="visually-hidden">Delete {label}</span>
          </button>
        )}
      </Cell>
    </Row>
  );
}

/** Isolated, so that text in another direction does not reorder what is around it. */
function Notes({ record: { comment, managedBy, ptr } }: { readonly record: DnsRecordState }) {
  return (
    <>
      {comment && (
        <p class="small">
          <bdi>{comment}</bdi>
        </p>
      )}
      {managedBy && (
        <p class="small">
          Managed by <bdi>{managedBy}</bdi>
        </p>
      )}
      {ptr && <p class="small">Keeps its PTR record</p>}
    </>
  );
}

/** The addresses in place of an ALIAS record. */
function Resolution({ alias: { addresses, state } }: { readonly alias: AliasStatus }) {
  const contents = ADDRESS_TYPES.flatMap((type) => addresses[type]?.addresses ?? []);
  const none = state?.checkedAt ? 'No addresses' : 'Not looked up yet';
  return (
    <p class="small">
      {contents.length > 0 ? `Published as ${contents.join(', ')}` : none}
      {state && state.error !== null && (
        <>
          {' '}
          <Badge tone="warning">failing</Badge> {state.error}
        </>
      )}
    </p>
  );
}

function Numbers({ record }: { readonly record: DnsRecordState }) {
  return (
    <>
      {RECORD_NUMBERS.map((field) => {
        const value = record[field];
        return (
          value !== null && (
            <span key={field} class="record-number">
              <span class="small">{field}</span> {value}
            </span>
          )
        );
      })}
    </>
  );
}

interface EditRowProps {
  readonly domain: DomainState;
  readonly record: DnsRecordState;
  readonly types: readonly WritableType[];
  readonly id: string;
  readonly values: FormValues;
  readonly issues?: FormIssues | undefined;
  /** Whether the record has changed since the submitted form showed it. */
  readonly isConflict?: boolean | undefined;
}

export function EditRow({ domain, record, types, id, values, issues, isConflict = false }: EditRowProps) {
  const path = `/domains/${domain.id}/records`;
  return (
    <Row id={id} class="editing">
      <td role="cell" colSpan={7} class="wide">
        {isConflict && <StoredNow record={record} />}
        <PostForm id={id} action={`${path}/${id}`} values={values} issues={issues}>
          <input type="hidden" name="seen" value={values['seen'] ?? DnsRecord.fromState(record).digest()} />
          <RecordFields zoneName={displayName(domain.name)} types={types} id={id} autofocus="type" />
          <RecordWarnings check={`${path}/${id}/check`} />
          <FormActions submit="Save" cancel={path} />
        </PostForm>
        <div class="record-line">
          <Copyable id={`${id}-line`} text={toZoneLine(record, domain.name)} label="the record as a zone line" />
          <a class="button quiet" href={`${path}?duplicate=${id}`}>
            Duplicate
          </a>
        </div>
      </td>
    </Row>
  );
}

/** What saving the form would replace. */
function StoredNow({ record }: { readonly record: DnsRecordState }) {
  return (
    <p>
      Stored now: {record.type} {record.name} <FoldedText text={record.content} /> <Numbers record={record} />{' '}
      <span class="small">TTL</span> {record.ttl}
    </p>
  );
}

/** The record as a line of any zone file. */
function toZoneLine(record: DnsRecordState, zoneName: string): string {
  const { name, ttl, type } = record;
  return `${fullOwnerName(name, zoneName)}. ${ttl} IN ${type} ${DnsRecord.fromState(record).rdata()}`;
}
