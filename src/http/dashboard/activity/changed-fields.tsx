import type { AuditEntry, AuditFacts } from '../../../domain/access/audit-entry';
import { formatDate } from '../../../domain/shared/time/date-text';

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
  types: 'Their types',
  name: 'Name',
  scope: 'Scope',
  role: 'Role',
};

/** The fields of an entry before and after the change. Renders nothing for an entry without fields. */
export function ChangedFields({ entry: { before, after } }: { readonly entry: AuditEntry }) {
  if (Object.keys({ ...before, ...after }).length === 0) return null;
  return (
    <details class="disclosure">
      <summary>Changes</summary>
      <FieldList before={before} after={after} />
    </details>
  );
}

/** Fields before and after a change, in an element of the class `disclosure`. */
export function FieldList({ before, after }: { readonly before: AuditFacts; readonly after: AuditFacts }) {
  return (
    <dl>
      {Object.keys({ ...before, ...after }).map((name) => (
        <ChangedField key={name} name={name} before={before} after={after} />
      ))}
    </dl>
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
      <dt>{LABELS[name] ?? toWords(name)}</dt>
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

/** `auto_renew` or `autoRenew`: Auto renew */
function toWords(name: string): string {
  const words = name.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function formatValue(value: unknown): string {
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (Array.isArray(value)) return value.map(formatValue).join('\n');
  if (typeof value === 'string') return INSTANT.test(value) ? formatDate(new Date(value)) : value;
  if (typeof value === 'object' && value !== null)
    return Object.values(value).map(formatValue).filter(Boolean).join(', ');
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
