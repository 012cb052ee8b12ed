import type { DomainState } from '../../../domain/registration/domain';
import type { Money } from '../../../domain/shared/money';
import { displayName } from '../domains/domain-words';
import type { FormIssues } from '../form-issues';
import { inDays, longDate } from '../layout/dates';
import { FormActions } from '../layout/form-actions';
import { PostForm } from '../layout/forms';
import { price as inWords, PriceFields } from '../layout/money';
import { usePage } from '../layout/page-context';
import { DomainFrame } from './domain-frame';

export interface RestoreDomainPageProps {
  readonly domain: DomainState;
  /** Absent where it cannot be restored; `issues` say why. */
  readonly price: Money | undefined;
  readonly issues: FormIssues | undefined;
}

export function RestoreDomainPage({ domain, price, issues }: RestoreDomainPageProps) {
  const { today } = usePage();
  const path = `/domains/${domain.id}`;
  return (
    <DomainFrame domain={domain} tab="details">
      <section class="card narrow">
        <h2>Restore {displayName(domain.name)}?</h2>
        {issues?.message !== undefined && (
          <div class="notice warning" role="alert">
            <p>{issues.message}</p>
          </div>
        )}
        {price && (
          <>
            <p>
              It costs <strong>{inWords(price)}</strong>, with the renewal that comes with it where its term has ended.
              The domain works again as it did, with its records.
            </p>
            {domain.phaseEndsAt && (
              <p>
                Possible until {longDate(domain.phaseEndsAt)}, {inDays(domain.phaseEndsAt, today)}; after that nobody
                can bring it back.
              </p>
            )}
          </>
        )}
        <PostForm action={`${path}/restore`}>
          {price && <PriceFields price={price} />}
          <FormActions submit={price ? `Restore for ${inWords(price)}` : undefined} cancel={path} />
        </PostForm>
      </section>
    </DomainFrame>
  );
}
