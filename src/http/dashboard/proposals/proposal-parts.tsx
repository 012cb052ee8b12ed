import type { ProposalStatus } from '../../../domain/access/proposals/proposal';
import { FieldList } from '../activity/changed-fields';
import { Badge, type Tone } from '../layout/components';
import { displayName } from '../layout/domain/domain-labels';
import { ChangedLines } from '../zone/change-view';
import type { PlannedFields, PlannedRecords, PlannedStep, ReadPlan } from './read-plan';

const STATUSES: Readonly<Record<ProposalStatus, readonly [tone: Tone, label: string]>> = {
  open: ['warning', 'undecided'],
  accepting: ['warning', 'accepted, outcome unknown'],
  accepted: ['good', 'accepted'],
  rejected: ['plain', 'rejected'],
  withdrawn: ['plain', 'withdrawn'],
  stale: ['warning', 'stale'],
  failed: ['bad', 'accepted, but refused'],
  expired: ['plain', 'expired'],
};

export function ProposalBadge({ status }: { readonly status: ProposalStatus }) {
  const [tone, label] = STATUSES[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** In the currency of the plan. */
export function formatCost({ amount, currency }: NonNullable<ReadPlan['cost']>): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
}

/** What a write would do. */
export function PlanDetails({ plan, proposalId }: { readonly plan: ReadPlan; readonly proposalId: string }) {
  const { operations, changes, records, zones, steps, result, warnings, cost, error, more, isWhole } = plan;
  const shown = [operations, changes, zones, steps, Object.keys(result)];
  const isEmpty = more === 0 && shown.every(({ length }) => length === 0);
  return (
    <>
      {error !== undefined && <p class="alert warning">The write would be refused: {error}</p>}
      {cost && (
        <p>
          It costs <strong>{formatCost(cost)}</strong>.
        </p>
      )}
      {warnings.length > 0 && (
        <div class="alert warning">
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
      {operations.length > 0 && <FieldsList heading="Sent to the registry" items={operations} />}
      {changes.length > 0 && <FieldsList heading="Changed here" items={changes} />}
      {records && (
        <>
          <h3>Records</h3>
          <Records records={records} />
        </>
      )}
      {zones.length > 0 && <h3>{zones.length === 1 ? 'The zone' : 'The zones'}</h3>}
      {zones.map(({ name, ...changed }) => (
        <details key={name} class="disclosure" open={zones.length <= OPEN_ZONES}>
          <summary>{displayName(name)}</summary>
          <Records records={changed} />
        </details>
      ))}
      {steps.length > 0 && <h3>Done to each name</h3>}
      {steps.map((step, index) => (
        <Step key={index} step={step} />
      ))}
      {Object.keys(result).length > 0 && (
        <div class="disclosure">
          <FieldList before={{}} after={result} />
        </div>
      )}
      {isEmpty && !records && error === undefined && <p>Nothing would change.</p>}
      {more > 0 && (
        <p class="small">
          And {more} more.{' '}
          {isWhole ? (
            <>
              The API shows all: <code>GET /api/proposals/{proposalId}</code>
            </>
          ) : (
            'So many are not stored, but compared when it is accepted: a dry run of the write shows all.'
          )}
        </p>
      )}
    </>
  );
}

function Step({ step: { title, before, after, domains } }: { readonly step: PlannedStep }) {
  return (
    <div class="disclosure">
      <p>{title}</p>
      <FieldList before={before} after={after} />
      <details open={domains.length <= OPEN_LINES}>
        <summary>{domains.length === 1 ? 'The name' : 'The names'}</summary>
        <ul>
          {domains.map((name) => (
            <li key={name}>{displayName(name)}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function FieldsList({ heading, items }: { readonly heading: string; readonly items: readonly PlannedFields[] }) {
  return (
    <>
      <h3>{heading}</h3>
      <ul class="plain-list">
        {items.map(({ title, before, after }, index) => (
          <li key={index} class="disclosure">
            <p>{title}</p>
            <FieldList before={before} after={after} />
          </li>
        ))}
      </ul>
    </>
  );
}

const OPEN_LINES = 20;
const OPEN_ZONES = 5;

function Records({ records: { added, changed, removed, lines } }: { readonly records: PlannedRecords }) {
  const folded = lines.slice(OPEN_LINES);
  return (
    <>
      <p>
        {added + changed + removed === 0
          ? 'No changes: the zone already has these records.'
          : `${added} added, ${changed} changed, ${removed} removed.`}
      </p>
      {lines.length > 0 && <ChangedLines lines={lines.slice(0, OPEN_LINES)} />}
      {folded.length > 0 && (
        <details class="disclosure">
          <summary>Show {folded.length} more</summary>
          <ChangedLines lines={folded} />
        </details>
      )}
    </>
  );
}
