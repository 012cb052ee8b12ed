import type { EditRecords, WrittenChange, ZonePlan } from '../../../../typescript/src/namewright.ts';
import type { Session } from '../../program/session.ts';
import { changeLines, summaryOf, warningLines } from './plan-text.ts';

export const WRITE_OPTIONS = {
  'dry-run': { type: 'boolean', description: 'show what would change, and change nothing' },
  wait: { type: 'boolean', description: 'until every secondary nameserver serves the change' },
} as const;

interface Edit {
  readonly id: string;
  readonly zone: string;
  readonly edit: EditRecords;
  /** The version that the edit was made for. */
  readonly etag?: string;
  readonly values: { readonly 'dry-run'?: boolean; readonly wait?: boolean; readonly yes?: boolean };
  /** To be asked before. */
  readonly question?: string;
}

/** Makes the changes as one version of the zone, or shows them. */
export async function editRecords(session: Session, { id, zone, edit, etag, values, question }: Edit): Promise<void> {
  if (isEmpty(edit)) {
    session.show({ changed: false }, () => 'Nothing to change.');
    return;
  }
  const { terminal } = session;
  const request = { path: { id }, body: edit, ...(etag !== undefined && { headers: { 'If-Match': etag } }) };
  if (values['dry-run'] || (question !== undefined && !values.yes)) {
    const plan = (await session.client.editRecordsOfZone({ ...request, query: { dry_run: true } })) as ZonePlan;
    const paint = values['dry-run'] ? terminal.paint : terminal.paintError;
    const lines = [...changeLines(plan, paint), ...warningLines(plan.warnings, paint)];
    if (values['dry-run']) {
      session.show(plan, () => [...lines, `${zone}: ${summaryOf(plan)}. Nothing was changed.`]);
      return;
    }
    for (const line of lines) terminal.note(line);
    await session.confirm(question ?? '', values.yes);
  }
  const query = values.wait ? { wait: 'published' as const } : {};
  const writing = session.client.editRecordsOfZone({ ...request, query }, { envelope: true });
  const { data, headers } = await terminal.progress(`Changing ${zone}`, writing);
  const change = data as WrittenChange;
  const isPublished = headers.zonePublished === 'true';
  session.show({ ...change, ...(values.wait && { published: isPublished }) }, () => [
    `${zone} is at version ${change.version}: ${counts(change)}.`,
    ...warningLines(change.warnings ?? [], terminal.paint),
    ...(values.wait ? [isPublished ? 'Every secondary serves it.' : 'Not every secondary serves it yet.'] : []),
  ]);
}

function counts({ created, updated, deleted }: WrittenChange): string {
  return `${created.length} added, ${updated.length} changed, ${deleted.length} removed`;
}

function isEmpty({ create = [], update = [], delete: removed = [] }: EditRecords): boolean {
  return create.length + update.length + removed.length === 0;
}
