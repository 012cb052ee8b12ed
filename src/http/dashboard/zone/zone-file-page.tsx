import type { DomainState } from '../../../domain/registration/domain';
import { DomainFrame } from '../domain/domain-frame';
import type { FormFaults } from '../form-faults';
import { PostForm, TextArea } from '../layout/forms';
import { Card } from '../layout/parts';

export interface ZoneFilePageProps {
  readonly domain: DomainState;
  /** The file as HTML, or what marks its place. */
  readonly textHtml: string;
  readonly faults: FormFaults | undefined;
}

export function ZoneFilePage({ domain, textHtml, faults }: ZoneFilePageProps) {
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
        <PostForm action={`${path}/plan`} upload faults={faults}>
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
