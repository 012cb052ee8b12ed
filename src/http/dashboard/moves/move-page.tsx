import type { MoveParties } from '../../../application/moves/find-moves';
import { moveStatusAt, type AccountMoveState } from '../../../domain/registration/account-move';
import { getActorName, type ActorNames } from '../activity/actor-names';
import type { FormIssues } from '../form-issues';
import { Card, DateTime, PageHeading } from '../layout/components';
import { displayName } from '../layout/domain/domain-labels';
import { TextArea } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { MayDo } from '../layout/may-do';
import { usePage } from '../layout/page-context';
import { RegistrantFields } from '../registrant/registrant-fields';
import { EffectList, MoveBadge } from './move-parts';

interface MovePageProps {
  readonly move: AccountMoveState;
  readonly accountId: string;
  readonly parties: MoveParties;
  readonly actors: ActorNames;
  readonly values?: FormValues | undefined;
  readonly issues?: FormIssues | undefined;
}

export function MovePage({ move, accountId, parties, actors, values, issues }: MovePageProps) {
  const { now } = usePage();
  const { id, name, zones, effects } = move;
  const isOut = move.accountId === accountId;
  const status = moveStatusAt(move, now);
  return (
    <>
      <PageHeading
        title={`Move of ${displayName(name)} ${isOut ? `to ${parties.to}` : `from ${parties.from}`}`}
        lead={<MoveBadge status={status} />}
      />
      <Facts move={move} isOut={isOut} actors={actors} />
      <Card title={isOut ? 'What ends for this account' : 'What this account gets'}>
        <EffectList effects={isOut ? effects.ends : effects.comes} />
        {isOut && zones.length > 0 && <p>These zones move along: {zones.map(displayName).join(', ')}.</p>}
        {status === 'accepted' && !isOut && (
          <p>
            <a href={`/domains/${move.domainId}`}>See the name as it is</a>
          </p>
        )}
      </Card>
      {status === 'open' && (
        <MayDo action="transfer">
          {isOut ? <Withdraw id={id} /> : <Decide id={id} values={values} issues={issues} />}
        </MayDo>
      )}
      <p>
        <a href="/moves">All moves</a>
      </p>
    </>
  );
}

function Facts({ move, isOut, actors }: Pick<MovePageProps, 'move' | 'actors'> & { readonly isOut: boolean }) {
  const { reason, proposer, decision, status, createdAt, expiresAt } = move;
  const decidedHere = (status === 'withdrawn') === isOut;
  return (
    <section class="card">
      <dl class="details">
        <dt>Reason</dt>
        <dd>{reason}</dd>
        <dt>Offered</dt>
        <dd>
          {isOut && `by ${getActorName(proposer, actors)}, `}
          <DateTime at={createdAt} />
        </dd>
        {status === 'open' && (
          <>
            <dt>Ends</dt>
            <dd>
              <DateTime at={expiresAt} />
            </dd>
          </>
        )}
        {decision && (
          <>
            <dt>Decided</dt>
            <dd>
              {decidedHere ? `by ${getActorName(decision.actor, actors)}` : 'by the other account'},{' '}
              <DateTime at={decision.at} />
            </dd>
            {decision.comment !== null && (
              <>
                <dt>Comment</dt>
                <dd>{decision.comment}</dd>
              </>
            )}
          </>
        )}
      </dl>
    </section>
  );
}

function Withdraw({ id }: { readonly id: string }) {
  return (
    <Card title="Decide">
      <p>The other account has to accept what you offer.</p>
      <PostForm action={`/moves/${id}/withdraw`}>
        <button type="submit">Withdraw</button>
      </PostForm>
    </Card>
  );
}

/** Two forms, because the fields of a registrant are required if there is to be another one. */
function Decide({ id, values, issues }: Pick<MovePageProps, 'values' | 'issues'> & { readonly id: string }) {
  const ownRegistrant = values?.['registrant'] === 'own';
  return (
    <Card title="Decide">
      <PostForm action={`/moves/${id}/accept`} {...(!ownRegistrant && { values, issues })}>
        <TextArea name="comment" label="Comment, which the other account sees (optional)" rows={2} />
        <p class="actions">
          <button class="primary" type="submit">
            Accept, and keep the registrant
          </button>
          <button type="submit" formaction={`/moves/${id}/reject`}>
            Reject
          </button>
        </p>
      </PostForm>
      <details open={ownRegistrant}>
        <summary>Accept with another registrant</summary>
        <p>The registry gets it after the move, and can refuse it. A zone without a registration has no registrant.</p>
        <PostForm action={`/moves/${id}/accept`} {...(ownRegistrant && { values, issues })}>
          <input type="hidden" name="registrant" value="own" />
          <RegistrantFields />
          <p class="actions">
            <button type="submit">Accept with this registrant</button>
          </p>
        </PostForm>
      </details>
    </Card>
  );
}
