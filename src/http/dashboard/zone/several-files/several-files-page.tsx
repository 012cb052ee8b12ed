import { quantityText } from '../../../../domain/shared/text/quantity-text';
import type { ImportMode } from '../../../../application/dns/zones/zone-files/import-zone-file';
import { MAX_FILES, MAX_FILES_BYTES } from '../../../../application/portfolio/zone-files/read-archive';
import type { ZoneFilesReview } from '../../../../application/portfolio/zone-files/review-zone-files';
import { changesNothing } from '../../../../domain/dns/zone-change';
import type { FormIssues } from '../../form-issues';
import { Card, Cell, PageHeading, Row, Table } from '../../layout/components';
import { displayName } from '../../layout/domain/domain-labels';
import { FormActions } from '../../layout/forms/form-actions';
import { Radios } from '../../layout/forms/form-controls';
import { PostForm } from '../../layout/forms/forms';
import { FILES_FIELD } from '../../middleware/upload-body';

const MODES = [
  { value: 'replace', label: 'Replace them', hint: 'Each zone has the records of its file afterwards' },
  { value: 'add', label: 'Keep them', hint: 'The records of the files are added' },
];
const MAX_SHOWN = 200;
const MAX_REASON = 300;
/** Begins each file in the form that confirms them. */
export const MARK_FIELD = 'mark';

export function SeveralFilesPage({
  mode,
  issues,
}: {
  readonly mode: ImportMode;
  readonly issues?: FormIssues | undefined;
}) {
  const error = issues?.fields.get(FILES_FIELD);
  return (
    <>
      <PageHeading
        title="Import zone files"
        lead="Each file is for the name that it is called after, such as example.com.zone or db.example.com, or for its $ORIGIN. You see the changes before you apply them."
      />
      <section class="card narrow">
        <PostForm action="/zone-files/review" upload values={{ mode }} issues={issues}>
          <Radios name="mode" label="Records that the zones have now" choices={MODES} />
          <div class="field">
            <label for={FILES_FIELD}>Zone files, or an archive of them</label>
            <input
              id={FILES_FIELD}
              name={FILES_FIELD}
              type="file"
              multiple
              required
              aria-invalid={error === undefined ? undefined : true}
              aria-describedby={`${FILES_FIELD}-hint`}
            />
            {error !== undefined && <p class="field-error">{error}</p>}
            <p class="hint" id={`${FILES_FIELD}-hint`}>
              At most {MAX_FILES} files of {MAX_FILES_BYTES / 1_048_576} MiB together; archives as ZIP or tar.gz
            </p>
          </div>
          <FormActions submit="Review changes" cancel="/add" />
        </PostForm>
      </section>
    </>
  );
}

interface SeveralFilesReviewPageProps {
  readonly review: ZoneFilesReview;
  readonly mode: ImportMode;
  readonly mark: string;
  /** The files as HTML, or a placeholder for them. */
  readonly textHtml: string;
}

/** What changes in each zone, and the files that cannot be imported. */
export function SeveralFilesReviewPage({
  review: { zones, refused },
  mode,
  mark,
  textHtml,
}: SeveralFilesReviewPageProps) {
  const changing = zones.filter(({ plan }) => !changesNothing(plan.change));
  const count = quantityText(changing.length, 'zone');
  const unchanged = zones.length - changing.length;
  return (
    <>
      <PageHeading title="Review the zone files" />
      {changing.length > 0 && (
        <section class="card flush">
          <Table caption={`${count} will change`} columns={['Name', 'Added', 'Changed', 'Removed', 'Notes']}>
            {changing.slice(0, MAX_SHOWN).map(({ name, plan: { change, warnings, result } }) => (
              <Row key={name}>
                <Cell class="main-cell">{displayName(name)}</Cell>
                <Cell label="Added">{change.added.length}</Cell>
                <Cell label="Changed">{change.changed.length}</Cell>
                <Cell label="Removed">{change.removed.length}</Cell>
                <Cell label="Notes">{notesOf(warnings.length, result.notes.length)}</Cell>
              </Row>
            ))}
          </Table>
        </section>
      )}
      <Card title={changing.length > 0 ? `Import ${count}?` : 'Nothing would change'}>
        {unchanged > 0 && <p>{unchanged === 1 ? '1 zone has' : `${unchanged} zones have`} these records already.</p>}
        {changing.length > 0 && (
          <p>
            The imports go on in the background. You can undo each zone afterwards, as long as its records have not
            changed again.
          </p>
        )}
        <PostForm action="/zone-files" upload>
          <input type="hidden" name="mode" value={mode} />
          <input type="hidden" name={MARK_FIELD} value={mark} />
          <textarea name="text" hidden dangerouslySetInnerHTML={{ __html: textHtml }} />
          <FormActions submit={changing.length > 0 ? `Import ${count}` : undefined} cancel="/zone-files" />
        </PostForm>
      </Card>
      {refused.length > 0 && (
        <section class="card flush">
          <Table
            caption={refused.length === 1 ? '1 file cannot be imported' : `${refused.length} files cannot be imported`}
            columns={['File', 'Reason']}
          >
            {refused.slice(0, MAX_SHOWN).map(({ fileName, reason }) => (
              <Row key={fileName}>
                <Cell class="main-cell">{fileName}</Cell>
                <Cell label="Reason" class="wide">
                  {reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason}
                </Cell>
              </Row>
            ))}
          </Table>
        </section>
      )}
    </>
  );
}

function notesOf(warnings: number, notes: number): string {
  const parts = [
    ...(warnings > 0 ? [quantityText(warnings, 'warning')] : []),
    ...(notes > 0 ? [notes === 1 ? '1 line left out or adapted' : `${notes} lines left out or adapted`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : '–';
}
