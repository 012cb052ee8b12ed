import type { ImportReport } from '../../../application/registrar/imports/find-import';
import { isImportFinished } from '../../../domain/registrar/name-import';
import { formatDateTime } from '../../../domain/shared/time/date-text';
import { Badge, Cell, Row, Table, type Tone } from '../layout/components';
import { displayName } from '../layout/domain/domain-labels';
import { useTimeZone } from '../layout/page-context';

/** The progress bar of an import, and its counts. */
export function ImportProgress({
  report,
  linked = false,
}: {
  readonly report: ImportReport;
  readonly linked?: boolean;
}) {
  const { id, registry, status, createdAt, error } = report.nameImport;
  const { waiting, imported, present, failed } = report.counts;
  const done = imported + present + failed;
  const label = `Import from the registrar ${registry}, ${formatDateTime(createdAt, useTimeZone())}`;
  const [text, tone] = describeStatus(report);
  return (
    <div class="import-progress">
      <p>
        {linked ? <a href={`/imports/${id}`}>{label}</a> : label} <Badge tone={tone}>{text}</Badge>
      </p>
      {status === 'listing' ? (
        <progress aria-label={label} />
      ) : (
        <progress aria-label={label} max={Math.max(done + waiting, 1)} value={waiting + done === 0 ? 1 : done} />
      )}
      <p class="small">
        {error ?? `${imported} imported, ${present} here already, ${failed} failed, ${waiting} to go`}
      </p>
    </div>
  );
}

export function ImportFailures({ failures }: Pick<ImportReport, 'failures'>) {
  if (failures.length === 0) return null;
  return (
    <section class="card flush">
      <Table caption="Domains that could not be imported" columns={['Domain', 'Reason']}>
        {failures.map(({ name, reason }) => (
          <Row key={name}>
            <Cell class="main-cell">{displayName(name)}</Cell>
            <Cell label="Reason">{reason}</Cell>
          </Row>
        ))}
      </Table>
    </section>
  );
}

function describeStatus({ nameImport, counts }: ImportReport): readonly [text: string, tone: Tone] {
  if (nameImport.status === 'failed') return ['failed', 'bad'];
  if (!isImportFinished(nameImport)) return ['in progress', 'plain'];
  return counts.failed > 0 ? ['finished with failures', 'warning'] : ['finished', 'good'];
}
