import type { SpendOfProposer } from '../../../application/proposals/proposed-spend';
import { actorText } from '../../../domain/access/actor';
import { describeSpend } from '../../../domain/access/describe-limits';
import { KEY_ACTIONS } from '../../../domain/access/key-limits';
import { statusAt, type ProposalState } from '../../../domain/access/proposals/proposal';
import { getActorName, type ActorNames } from '../activity/actor-names';
import type { FormIssues } from '../form-issues';
import { Card, Copyable, DateTime, PageHeading } from '../layout/components';
import { TextArea } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { MayDo } from '../layout/may-do';
import { usePage } from '../layout/page-context';
import { allows } from '../user-session';
import { describeWrite, domainIdOf, nameOf, routeOf } from './describe-write';
import { formatCost, PlanDetails, ProposalBadge } from './proposal-parts';
import { readCost, readPlan } from './read-plan';

interface ProposalPageProps {
  readonly proposal: ProposalState;
  readonly names: ReadonlyMap<string, string>;
  readonly actors: ActorNames;
  /** Of a key with a limit on spend. */
  readonly spend?: SpendOfProposer | undefined;
  readonly values?: FormValues | undefined;
  readonly issues?: FormIssues | undefined;
  /** Of an accepted write that has issued one: shown once. */
  readonly authCode?: string | undefined;
}

/** Characters that plans may take: a page has at most 60 KiB. */
const PLAN_BUDGET = 24_000;

export function ProposalPage({ proposal, names, actors, spend, values, issues, authCode }: ProposalPageProps) {
  const { now } = usePage();
  const { id, write, plan, currentPlan } = proposal;
  const status = statusAt(proposal, now);
  const budget = currentPlan ? PLAN_BUDGET / 2 : PLAN_BUDGET;
  return (
    <>
      <PageHeading
        title={describeWrite(write, nameOf(proposal, names), proposal.plan)}
        lead={<ProposalBadge status={status} />}
      />
      {authCode !== undefined && (
        <Card title="The auth code">
          <p>It is shown only once.</p>
          <Copyable id="auth-code" text={authCode} label="the auth code" />
        </Card>
      )}
      <Facts proposal={proposal} actors={actors} spend={spend} />
      {currentPlan ? (
        <>
          <p class="alert warning mt-4">
            Nothing was changed: the write would no longer do what was proposed. Compare both plans, and have it
            proposed again.
          </p>
          <div class="columns">
            <Card title="As it was proposed">
              <PlanDetails plan={readPlan(plan, budget)} proposalId={id} />
            </Card>
            <Card title="What it would do when it was accepted">
              <PlanDetails plan={readPlan(currentPlan, budget)} proposalId={id} />
            </Card>
          </div>
        </>
      ) : (
        <Card title={status === 'accepted' ? 'What was done' : 'What it would do'}>
          <PlanDetails plan={readPlan(plan, budget)} proposalId={id} />
          {status === 'accepted' && <OutcomeLinks proposal={proposal} names={names} />}
        </Card>
      )}
      {(status === 'open' || status === 'accepting') && (
        <Decide proposal={proposal} isOpen={status === 'open'} values={values} issues={issues} />
      )}
      <p>
        <a href="/proposals">All proposals</a>
      </p>
    </>
  );
}

function Facts({ proposal, actors, spend }: Pick<ProposalPageProps, 'proposal' | 'actors' | 'spend'>) {
  const { write, reason, proposer, decision, error, createdAt, expiresAt } = proposal;
  const { now } = usePage();
  return (
    <section class="card">
      <dl class="details">
        <dt>Reason</dt>
        <dd>{reason}</dd>
        <dt>Proposed by</dt>
        <dd>
          {getActorName(proposer, actors)}, <DateTime at={createdAt} />
        </dd>
        {spend && (
          <>
            <dt>Its limit</dt>
            <dd>
              {describeSpend(spend.limits)}. Its undecided proposals cost{' '}
              {spend.undecided.length === 0 ? 'nothing' : `${spend.undecided.map(formatCost).join(' and ')} together`}.
            </dd>
          </>
        )}
        {statusAt(proposal, now) === 'open' && (
          <>
            <dt>Ends</dt>
            <dd>
              <DateTime at={expiresAt} />
            </dd>
          </>
        )}
        {decision && (
          <>
            <dt>Decided by</dt>
            <dd>
              {getActorName(decision.actor, actors)}, <DateTime at={decision.at} />
            </dd>
            {decision.comment !== null && (
              <>
                <dt>Comment</dt>
                <dd>{decision.comment}</dd>
              </>
            )}
          </>
        )}
        {error && (
          <>
            <dt>Refused</dt>
            <dd>{error.message}</dd>
          </>
        )}
        <dt>Request</dt>
        <dd>
          <code>
            {write.method} {write.path}
          </code>
        </dd>
      </dl>
    </section>
  );
}

/** Where the outcome is seen: what the registry decides later is an operation. */
function OutcomeLinks({ proposal: { write, plan }, names }: Pick<ProposalPageProps, 'proposal' | 'names'>) {
  if (routeOf(write.path).startsWith('/bulk'))
    return (
      <p>
        <a href="/bulk">See what became of each name</a>
      </p>
    );
  const id = domainIdOf(write);
  if (id === undefined || !names.has(id)) return null;
  const isOperation = Array.isArray(plan['operations']) && plan['operations'].length > 0;
  return (
    <p>
      <a href={`/domains/${id}${isOperation ? '/operations' : ''}`}>
        {isOperation ? 'See how the registry decided' : 'See the name as it is'}
      </a>
    </p>
  );
}

interface DecideProps extends Pick<ProposalPageProps, 'proposal' | 'values' | 'issues'> {
  readonly isOpen: boolean;
}

function Decide({ proposal: { id, proposer, plan }, isOpen, values, issues }: DecideProps) {
  const { userSession } = usePage();
  if (!userSession) return null;
  const isProposer = actorText(proposer) === actorText({ kind: 'user', id: userSession.user.id });
  if (isProposer)
    return isOpen ? (
      <Card title="Decide">
        <p>Someone else has to accept what you have proposed.</p>
        <PostForm action={`/proposals/${id}/withdraw`}>
          <button type="submit">Withdraw</button>
        </PostForm>
      </Card>
    ) : null;
  if (!KEY_ACTIONS.some((action) => action !== 'read' && allows(userSession, action))) return null;
  const cost = readCost(plan);
  return (
    <Card title="Decide">
      {!isOpen && <p>It was accepted, and its outcome is not known yet. Accept it again: it is done once.</p>}
      <PostForm action={`/proposals/${id}/accept`} values={values} issues={issues}>
        {isOpen && <TextArea name="comment" label="Comment (optional)" rows={2} />}
        <p class="actions">
          <button class="primary" type="submit">
            {isOpen ? `Accept${cost ? ` for ${formatCost(cost)}` : ''}` : 'Accept again'}
          </button>
          {isOpen && (
            <MayDo action="settings">
              <button type="submit" formaction={`/proposals/${id}/reject`}>
                Reject
              </button>
            </MayDo>
          )}
        </p>
      </PostForm>
    </Card>
  );
}
