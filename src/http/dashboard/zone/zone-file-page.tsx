import type { DomainState } from '../../../domain/registration/domain';
import { DomainFrame } from '../domain/domain-frame';
import type { FormIssues } from '../form-issues';
import { PostForm, TextArea } from '../layout/forms';
import { Card } from '../layout/parts';

export interface ZoneFilePageProps {
  readonly domain: DomainState;
  /** The file as HTML, or what marks its place. */
  readonly textHtml: string;
  readonly issues: FormIssues | undefined;
}

export function ZoneFilePage({ domain, textHtml, issues }: ZoneFilePageProps) {
  const path = `/domains/${domain.id}/zone-file`;
  return (
    <DomainFrame domain={domain} tab="zone-file">
      <Card title="Export">
        <p>The zone as a standard zone file (RFC 1035), for any nameserver.</p>
        <p class="after">
          <a class="button" href={`${path}/export`}>
            Download {domain.name}.zone
          </a>
        </p>
      </Card>
      <Card title="Import">
        <p>The zone becomes what the file says. You see the plan before anything is done.</p>
        <PostForm action={`${path}/plan`} upload issues={issues}>
          <p class="after" data-scripted hidden>
            <label class="button quiet">
              Choose a file{' '}
              <input class="unseen" type="file" data-fills="text" accept=".zone,.txt,.db,text/plain,text/dns" />
            </label>
          </p>
          <TextArea name="text" label="Zone file" rows={14} required html={textHtml} />
          <button class="primary" type="submit">
            Show the plan
          </button>
        </PostForm>
      </Card>
    </DomainFrame>
  );
}
