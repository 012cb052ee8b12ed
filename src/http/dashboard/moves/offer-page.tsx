import type { AccountMoveState } from '../../../domain/registration/account-move';
import type { DomainState } from '../../../domain/registration/domain';
import { TypedNameField } from '../domain/danger/typed-name';
import type { FormIssues } from '../form-issues';
import { DomainLayout } from '../layout/domain/domain-layout';
import { displayName } from '../layout/domain/domain-labels';
import { FormActions } from '../layout/forms/form-actions';
import { Field, TextArea } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { EffectList } from './move-parts';

interface OfferPageProps {
  readonly domain: DomainState;
  /** Undefined if it cannot move; `issues` tell why. */
  readonly offer: Pick<AccountMoveState, 'effects' | 'zones'> | undefined;
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}

/** Asks for the other account, and says what ends before anything is offered. */
export function OfferPage({ domain, offer, values, issues }: OfferPageProps) {
  const path = `/domains/${domain.id}`;
  return (
    <DomainLayout domain={domain} tab="details">
      <section class="card narrow">
        <h2>Move {displayName(domain.name)} to another account?</h2>
        {offer && (
          <>
            <p>Nothing changes until the other account accepts, within seven days. If it does, this account loses:</p>
            <EffectList effects={offer.effects.ends} />
            {offer.zones.length > 0 && <p>These zones move along: {offer.zones.map(displayName).join(', ')}.</p>}
          </>
        )}
        <PostForm action={`${path}/move`} values={values} issues={issues}>
          {offer && (
            <>
              <Field
                name="account_id"
                label="Id of the other account"
                required
                autocomplete="off"
                hint="Its owner finds it in the settings of the account."
              />
              <TextArea name="reason" label="Reason, which the other account sees" rows={2} />
              <TypedNameField name={domain.name} />
            </>
          )}
          <FormActions submit={offer && `Offer ${displayName(domain.name)}`} danger cancel={path} />
        </PostForm>
      </section>
    </DomainLayout>
  );
}
