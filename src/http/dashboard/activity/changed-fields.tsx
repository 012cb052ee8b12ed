import type { AuditEntry, AuditFacts } from '../../../domain/access/audit-entry';
import { formatLongDate } from '../layout/dates';

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const LABELS: Readonly<Record<string, string>> = {
  status: 'Status',
  expiresAt: 'Expiry',
  autoRenew: 'Auto-renewal',
  registrarRenews: 'Renewal by the registrar',
  transferLocked: 'Transfer lock',
  nameservers: 'Nameservers',
  registrant: 'Registrant',
  tags: 'Tags',
  records: 'Records',
  more: 'More records',
  name: 'Name',
  scope: 'Scope',
  role: 'Role',
};

/** The fields of an entry before and after the change. Renders nothing for an entry without fields. */
export function ChangedFields({ entry: { before, after } }: { readonly entry: AuditEntry }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (names.length === 0) return null;
  return (
    <details class="disclosure">
      <summary>Changes</summary>
      <dl>
        {names.map((name) => (
          <ChangedField key={name} name={name} before={before} after={after} />
        ))}
      </dl>
    </details>
  );
}

function ChangedField({
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
            <span class="visually-hidden">before: </span>
            {formatValue(before[name])}
          </del>
        )}
        {name in after && (
          <ins>
            <span class="visually-hidden">after: </span>
            {formatValue(after[name])}
          </ins>
        )}
      </dd>
    </>
  );
}

function formatValue(value: unknown): string {
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (Array.isArray(value)) return value.map(formatValue).join('\n');
  if (typeof value === 'string') return INSTANT.test(value) ? formatLongDate(new Date(value)) : value;
  if (typeof value === 'object' && value !== null)
    return Object.values(value).map(formatValue).filter(Boolean).join(', ');
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
