import type { CostReport } from '../../../application/registration/costs/read-costs';
import { majorUnits } from '../../../domain/shared/money';
import { quoteCell } from '../domains/domain-csv';

const HEADING = 'month,kind,tld,tags,count,amount,currency\r\n';

/** CSV as in RFC 4180: a line for the equal costs of a month. The amount is empty if no price is known. */
export function toCostCsv({ months, groups }: CostReport): string {
  const lines = groups.map(({ kind, month, tld, tags, count, total }) =>
    [
      months[month]?.toISOString().slice(0, 7) ?? '',
      kind,
      tld,
      tags.join(' '),
      String(count),
      total ? String(majorUnits(total)) : '',
      total?.currency ?? '',
    ]
      .map(quoteCell)
      .join(','),
  );
  return HEADING + lines.map((line) => `${line}\r\n`).join('');
}
