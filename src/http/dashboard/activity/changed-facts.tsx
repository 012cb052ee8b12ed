import type { AuditEntry, AuditFacts } from '../../../domain/access/audit-entry';
import { longDate } from '../layout/dates';

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const LABELS: Readonly<Record<string, string>> = {
  status: 'Status',
  expiresAt: 'Expiry',
  autoRenew: 'Auto-renewal',
  transferLocked: 'Transfer lock',
  nameservers: 'Nameservers',
  registrant: 'Registrant',
  records: 'Records',
  more: 'More records',
  name: 'Name',
  scope: 'Scope',
  role: 'Role',
};

/** What differs, as it was and as it is. Nothing where an entry tells no facts. */
export function ChangedFacts({ entry: { before, after } }: { readonly entry: AuditEntry }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (names.length === 0) return null;
  return (
    <details class="facts">
      <summary>What changed</summary>
      <dl>
        {names.map((name) => (
          <Fact key={name} name={name} before={before} after={after} />
        ))}
      </dl>
    </details>
  );
}

function Fact({
  name,
  before,
  after,
}: {
  readonly name: string;
  readonly before: AuditFacts;
  readonly after: AuditFacts;
}) {
  return (
    <>
      <dt>{LABELS[name] ?? name}</dt>
      <dd>
        {name in before && (
          <del>
            <span class="unseen">before: </span>
            {inWords(before[name])}
          </del>
        )}
        {name in after && (
          <ins>
            <span class="unseen">after: </span>
            {inWords(after[name])}
          </ins>
        )}
      </dd>
    </>
  );
}

function inWords(value: unknown): string {
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (Array.isArray(value)) return value.map(inWords).join('\n');
  if (typeof value === 'string') return INSTANT.test(value) ? longDate(new Date(value)) : value;
  if (typeof value === 'object' && value !== null) return Object.values(value).map(inWords).filter(Boolean).join(', ');
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
