import type { DomainState } from '../../../domain/registration/domain';
import { DomainLayout } from '../domain/domain-layout';
import type { FormIssues } from '../form-issues';
import { PostForm, TextArea } from '../layout/forms';
import { Card } from '../layout/components';

export interface ZoneFilePageProps {
  readonly domain: DomainState;
  /** The file as HTML, or a placeholder for it. */
  readonly textHtml: string;
  readonly issues: FormIssues | undefined;
}

export function ZoneFilePage({ domain, textHtml, issues }: ZoneFilePageProps) {
  const path = `/domains/${domain.id}/zone-file`;
  return (
    <DomainLayout domain={domain} tab="zone-file">
      <Card title="Export">
        <p>Download the zone as a zone file (RFC 1035).</p>
        <p class="mt-4">
          <a class="button" href={`${path}/export`}>
            Download {domain.name}.zone
          </a>
        </p>
      </Card>
      <Card title="Import">
        <p>
          Replaces the records of the zone with those of the file. The preview shows the changes before you apply them.
        </p>
        <PostForm action={`${path}/plan`} upload issues={issues}>
          <p class="mt-4" data-scripted hidden>
            <label class="button quiet">
              Choose file{' '}
              <input
                class="visually-hidden"
                type="file"
                data-fill-target="text"
                accept=".zone,.txt,.db,text/plain,text/dns"
              />
            </label>
          </p>
          <TextArea name="text" label="Zone file" rows={14} required html={textHtml} />
          <button class="primary" type="submit">
            Preview import
          </button>
        </PostForm>
      </Card>
    </DomainLayout>
  );
}
