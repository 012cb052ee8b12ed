import type { DomainState } from '../../../domain/registration/domain';
import { displayName } from '../domains/domain-words';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/form-actions';
import { PostForm, TextArea } from '../layout/forms';
import { GlueWarnings } from './glue-warnings';
import { DomainFrame } from './domain-frame';

export interface NameserversPageProps {
  readonly domain: DomainState;
  readonly text: string;
  readonly issues: FormIssues | undefined;
  readonly ours: readonly string[];
  /** Nameservers under the domain itself that have no address in its zone. */
  readonly missingGlue: readonly string[];
}

export function NameserversPage({ domain, text, issues, ours, missingGlue }: NameserversPageProps) {
  return (
    <DomainFrame domain={domain} tab="details">
      <section class="card narrow">
        <h2>Change the nameservers</h2>
        <p>They answer for {displayName(domain.name)} to the world. The old ones may be asked for up to two days.</p>
        <GlueWarnings hosts={missingGlue} />
        <PostForm action={`/domains/${domain.id}/nameservers`} values={{ nameservers: text }} issues={issues}>
          <TextArea
            name="nameservers"
            label="Nameservers, one a line"
            rows={5}
            required
            hint={`2 to 13. For records kept here: ${ours.join(', ')}`}
          />
          <FormActions submit="Change them" cancel={`/domains/${domain.id}`} />
        </PostForm>
      </section>
    </DomainFrame>
  );
}
