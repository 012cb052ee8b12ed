import type { DomainState } from '../../../domain/registration/domain';
import { DomainLayout } from '../layout/domain/domain-layout';
import { displayName } from '../layout/domain/domain-labels';
import type { FormIssues } from '../form-issues';
import { Card } from '../layout/components';
import { TextArea } from '../layout/forms/form-controls';
import { PostForm } from '../layout/forms/forms';

/** Marks what this form sends, so that its issues are shown in it. */
export const SEVERAL_FIELD = 'several';

interface SeveralRecordsProps {
  readonly domain: DomainState;
  /** What was entered, as HTML. */
  readonly textHtml?: string;
  readonly issues?: FormIssues | undefined;
}

/** Adds records that are typed as in a zone file, after a preview. */
export function SeveralRecordsForm({ domain: { id, name }, textHtml = '', issues }: SeveralRecordsProps) {
  return (
    <PostForm id="several" action={`/domains/${id}/zone-file/plan`} upload issues={issues}>
      <input type="hidden" name="mode" value="add" />
      <input type="hidden" name={SEVERAL_FIELD} value="yes" />
      <TextArea
        name="text"
        label="Records"
        rows={6}
        required
        html={textHtml}
        hint={
          <>
            One a line, as in a zone file: <code>www 300 A 192.0.2.1</code> or <code>@ MX 10 mail.example.net.</code>{' '}
            The TTL may be left out. Names outside {displayName(name)} end with a dot.
          </>
        }
      />
      <button type="submit">Preview records</button>
    </PostForm>
  );
}

/** The form again, with what is wrong. */
export function SeveralRecordsPage(props: SeveralRecordsProps) {
  return (
    <DomainLayout domain={props.domain} tab="records">
      <Card title="Add several records">
        <SeveralRecordsForm {...props} />
      </Card>
    </DomainLayout>
  );
}
