import type { BulkReport } from '../../../application/portfolio/bulk/find-bulk-job';
import { MAX_RESULTS, type BulkResults } from '../../../application/portfolio/bulk/read-bulk-results';
import type { KeyAction } from '../../../domain/access/key-limits';
import {
  isBulkJobFinished,
  isOrder,
  isRetryable,
  KEY_ACTION_OF,
  type BulkAction,
  type BulkItem,
  type BulkJob,
} from '../../../domain/portfolio/bulk-job';
import { formatDate, formatDateTime } from '../../../domain/shared/time/date-text';
import { buildUrl } from '../build-url';
import { displayName } from '../layout/domain/domain-labels';
import { Badge, Cell, Confirm, Empty, PageHeading, Row, Table, type Tone } from '../layout/components';
import { formatPrice } from '../layout/money';
import { PostForm } from '../layout/forms/forms';
import { followProgress, RefreshLink } from '../layout/live-progress';
import { usePage, useTimeZone } from '../layout/page-context';
import { allows } from '../user-session';
import { MAX_ORDERED } from '../register/registration-form';
import { countDomains, describeAction, describeSettings } from '../domains/bulk-labels';

const MAX_SHOWN = 100;

export function BulkJobPage({
  report,
  results,
}: {
  readonly report: BulkReport;
  /** Once the job has finished. */
  readonly results: BulkResults | undefined;
}) {
  const { job, failures, isUndoable } = report;
  const { userSession } = usePage();
  const isTransfer = job.action.kind === 'transfer';
  const mayRepeat = userSession !== undefined && allows(userSession, neededFor(job.action));
  const path = `/bulk/${job.id}`;
  const finished = isBulkJobFinished(job);
  const following = finished ? {} : followProgress({ kind: 'bulk', id: job.id, path, element: 'bulk-job' });
  return (
    <div id="bulk-job" {...following}>
      <PageHeading
        title={job.undoes === null ? describeAction(job.action) : `Undo: ${describeAction(job.action)}`}
        lead={finished ? undefined : 'You can leave this page. The changes continue in the background.'}
      />
      <section class="card narrow">
        <BulkProgress report={report} />
        {!finished && <RefreshLink path={path} />}
        {isTransfer && (
          <p class="small">
            Done are those whose request the registry has accepted. The present registrars can decide for some days.
          </p>
        )}
        <div class="actions mt-4">
          <a class="button primary" href={isTransfer ? '/transfers' : '/domains'}>
            {isTransfer ? 'View transfers' : 'View domains'}
          </a>
          <a class="button" href="/bulk">
            All bulk changes
          </a>
          {finished && mayRepeat && failures.length > 0 && job.action.kind === 'renewal' && (
            <a class="button" href={`${path}/retry`}>
              Retry {countDomains(report.counts.failed)}
            </a>
          )}
          {finished && mayRepeat && failures.length > 0 && isTransfer && (
            <a class="button" href={`/transfers/several?failed=${job.id}`}>
              Correct {countDomains(report.counts.failed)}
            </a>
          )}
          {finished && mayRepeat && failures.length > 0 && job.action.kind === 'registration' && (
            <OrderAgain names={failures.slice(0, MAX_ORDERED).map(({ name }) => name)} />
          )}
          {finished && mayRepeat && failures.length > 0 && job.action.kind !== 'renewal' && isRetryable(job) && (
            <PostForm action={`${path}/retry`} class="inline-form">
              <button type="submit">Retry {countDomains(report.counts.failed)}</button>
            </PostForm>
          )}
          {finished && mayRepeat && isUndoable && (
            <Confirm
              label="Undo"
              action={`${path}/undo`}
              question={`Set ${countDomains(report.counts.done)} back as they were before this change?`}
              button="Undo the change"
              danger={false}
            />
          )}
        </div>
      </section>
      {failures.length > 0 && (
        <section class="card flush">
          <Table
            caption={
              report.counts.failed > MAX_SHOWN ? `The first ${MAX_SHOWN} domains that failed` : 'Domains that failed'
            }
            columns={['Domain', 'Reason']}
          >
            {failures.slice(0, MAX_SHOWN).map(({ domainId, name, error }) => (
              <Row key={domainId}>
                <Cell class="main-cell">
                  <ItemName action={job.action} domainId={domainId} name={name} linked={!isOrder(job.action)} />
                </Cell>
                <Cell label="Reason" class="wide">
                  {[error?.message, error?.details].filter(Boolean).join(': ')}
                </Cell>
              </Row>
            ))}
          </Table>
        </section>
      )}
      {results && results.domains.length > 0 && <Results report={report} results={results} />}
    </div>
  );
}

function Results({ report: { job, counts }, results }: { readonly report: BulkReport; readonly results: BulkResults }) {
  const isRenewal = job.action.kind === 'renewal';
  const { charged, uncharged } = results;
  return (
    <section class="card flush">
      {isRenewal && (
        <p class="table-lead">
          {charged.length > 0 ? (
            <strong>Charged: {charged.map(formatPrice).join(' and ')}</strong>
          ) : (
            'The registry did not say what it charged'
          )}
          {charged.length > 0 &&
            uncharged > 0 &&
            `, and ${countDomains(uncharged)} whose charge the registry did not report`}
        </p>
      )}
      <Table
        caption={counts.done > MAX_RESULTS ? `The first ${MAX_RESULTS} domains that were changed` : 'Changed domains'}
        columns={isRenewal ? ['Domain', 'Expires', 'Charged'] : ['Domain']}
      >
        {results.domains.map(({ domainId, name, expiresAt, charged: each }) => (
          <Row key={domainId}>
            <Cell class="main-cell">
              <ItemName action={job.action} domainId={domainId} name={name} linked />
            </Cell>
            {isRenewal && <Cell label="Expires">{expiresAt ? formatDate(expiresAt) : 'no longer here'}</Cell>}
            {isRenewal && <Cell label="Charged">{each ? formatPrice(each) : 'not reported'}</Cell>}
          </Row>
        ))}
      </Table>
    </section>
  );
}

/** What is ordered does not exist if it was refused before. The item of a transfer has its id, that of a registration none of a domain. */
function ItemName({
  action: { kind },
  domainId,
  name,
  linked,
}: Pick<BulkItem, 'domainId' | 'name'> & Pick<BulkJob, 'action'> & { readonly linked: boolean }) {
  if (name === '') return <>{domainId}</>;
  if (!linked) return <>{displayName(name)}</>;
  if (kind === 'registration') return <a href={buildUrl('/domains', { q: name })}>{displayName(name)}</a>;
  return <a href={`/${kind === 'transfer' ? 'transfers' : 'domains'}/${domainId}`}>{displayName(name)}</a>;
}

function OrderAgain({ names }: { readonly names: readonly string[] }) {
  const query = new URLSearchParams(names.map((name) => ['name', name])).toString();
  return (
    <a class="button" href={`/register/order?${query}`}>
      Order {countDomains(names.length)} again
    </a>
  );
}

function neededFor(action: BulkAction): KeyAction {
  return KEY_ACTION_OF[action.kind];
}

export function BulkJobsPage({ reports }: { readonly reports: readonly BulkReport[] }) {
  return (
    <>
      <PageHeading title="Bulk changes" lead="Of the last 30 days." />
      <section class="card">
        {reports.length === 0 ? (
          <Empty title="No bulk changes">
            <p>
              <a href="/domains">Select domains</a> to change many at once.
            </p>
          </Empty>
        ) : (
          reports.map((report) => <BulkProgress key={report.job.id} report={report} linked />)
        )}
      </section>
    </>
  );
}

function BulkProgress({ report, linked = false }: { readonly report: BulkReport; readonly linked?: boolean }) {
  const { job, counts } = report;
  const label = `${describeAction(job.action)}, ${formatDateTime(job.createdAt, useTimeZone())}`;
  const [text, tone] = describeState(report);
  return (
    <div class="import-progress">
      <p>
        {linked ? <a href={`/bulk/${job.id}`}>{label}</a> : label} <Badge tone={tone}>{text}</Badge>
      </p>
      {job.undoes === null && <p class="small">{describeSettings(job.action)}</p>}
      <progress aria-label={label} max={Math.max(job.total, 1)} value={counts.done + counts.failed} />
      <p class="small" role="status">
        {counts.done} done, {counts.failed} failed, {counts.waiting} remaining
      </p>
    </div>
  );
}

function describeState({ job, counts }: BulkReport): readonly [text: string, tone: Tone] {
  if (!isBulkJobFinished(job)) return ['in progress', 'plain'];
  return counts.failed > 0 ? ['finished with failures', 'warning'] : ['finished', 'good'];
}
