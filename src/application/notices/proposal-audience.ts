import { inject, injectable } from '../ports/inject';
import { actorText } from '../../domain/access/actor';
import type { StoredNotice } from '../../domain/access/notices/notice';
import { limitsOfUser, ROLE_ACTIONS } from '../../domain/access/people/role';
import type { UserState } from '../../domain/access/people/user';
import type { ProposalState } from '../../domain/access/proposals/proposal';
import { actionOfWrite } from '../../domain/access/proposals/write-action';
import { People } from '../access/approvals/people';
import { AccountReader } from '../ports/access/accounts-and-api-keys';
import { ProposalReader } from '../ports/access/proposals';

type IsTold = (user: UserState) => Promise<boolean>;

const NO_ONE: IsTold = async () => false;

/** Finds who is told of a proposal. */
@injectable()
export class ProposalAudience {
  constructor(
    @inject(ProposalReader) private readonly proposals: Pick<ProposalReader, 'find'>,
    @inject(AccountReader) private readonly accounts: Pick<AccountReader, 'find'>,
    @inject(People) private readonly people: Pick<People, 'areSame'>,
  ) {}

  /** Those who may accept it while it is open, or who made it, unless they decided themselves. */
  async of(accountId: string, { kind, data }: StoredNotice): Promise<IsTold> {
    const proposal = (await this.proposals.find(accountId, String(data['proposal_id'])))?.toState();
    if (!proposal) return NO_ONE;
    if (kind === 'proposal_ended') return (user) => this.hasProposed(user, proposal);
    if (proposal.status !== 'open') return NO_ONE;
    const hasRules = Boolean((await this.accounts.find(accountId))?.approvalRules);
    return async (user) => mayDecide(user, proposal) && !(await this.isBarred(user, proposal, hasRules));
  }

  private async hasProposed({ id }: UserState, { proposer, decision }: ProposalState): Promise<boolean> {
    const user = { kind: 'user', id } as const;
    return !(decision && isSame(user, decision.actor)) && (await this.people.areSame(user, proposer));
  }

  /** Under rules, a key counts as who made it. */
  private async isBarred({ id }: UserState, { proposer }: ProposalState, hasRules: boolean): Promise<boolean> {
    const user = { kind: 'user', id } as const;
    return isSame(user, proposer) || (hasRules && (await this.people.areSame(user, proposer)));
  }
}

function isSame(one: ProposalState['proposer'], other: ProposalState['proposer']): boolean {
  return actorText(one) === actorText(other);
}

/** People who are limited to tags see no proposals. */
function mayDecide(user: UserState, { write }: ProposalState): boolean {
  const needed = actionOfWrite(write);
  if (user.role === 'owner') return true;
  const actions = limitsOfUser(user)?.actions ?? ROLE_ACTIONS[user.role];
  return needed !== 'owner' && !user.tags && actions.includes(needed);
}
