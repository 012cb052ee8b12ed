import { inject, injectable } from '../ports/inject';
import { actorText, type Reader } from '../../domain/access/actor';
import { assertActionAllowed, seesSomeDomains, seesSomeRecords } from '../../domain/access/key-permissions';
import { proposedBodyPurpose, type Proposal, type ProposalState } from '../../domain/access/proposals/proposal';
import { ProposalNotFound } from '../../domain/access/proposals/proposal-errors';
import { ProposalReader, type ListedProposal } from '../ports/access/proposals';
import type { ListPosition } from '../ports/storage/page';
import { Clock, SecretBox } from '../ports/system';

/** Reads proposals. Who may see only some domains or records sees only what they proposed themselves. @throws LimitedKey */
@injectable()
export class FindProposals {
  constructor(
    @inject(ProposalReader) private readonly proposals: ProposalReader,
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws ProposalNotFound */
  async byId({ accountId, actor, proposalId }: Reader & { readonly proposalId: string }): Promise<Proposal> {
    assertActionAllowed(actor, 'read');
    const proposal = await this.proposals.find(accountId, proposalId);
    if (!proposal || !maySeeProposal(actor, proposal.toState())) throw new ProposalNotFound();
    return proposal;
  }

  /** Newest first. `undecided`: those that wait, or the others; undefined: all. */
  async page(
    { accountId, actor }: Reader,
    { undecided }: { readonly undecided: boolean | undefined },
    limit: number,
    after?: ListPosition,
  ): Promise<readonly ListedProposal[]> {
    assertActionAllowed(actor, 'read');
    const proposer = seesOwnOnly(actor) ? actorText(actor) : undefined;
    const at = this.clock.now();
    const filter = { proposer, undecided: undecided === undefined ? undefined : { is: undecided, at } };
    return this.proposals.page(accountId, filter, limit, after);
  }

  /** The body of the write as it was proposed; undefined without one. */
  bodyOf({ id, sealedBody }: Pick<ProposalState, 'id' | 'sealedBody'>): unknown {
    return sealedBody === null ? undefined : JSON.parse(this.secrets.open(sealedBody, proposedBodyPurpose(id)));
  }
}

/** Plans show domains and records. */
export function seesOwnOnly(actor: Reader['actor']): boolean {
  return seesSomeDomains(actor) || seesSomeRecords(actor);
}

/** Who may see only some domains or records sees only its own proposals. */
export function maySeeProposal(actor: Reader['actor'], { proposer }: Pick<ProposalState, 'proposer'>): boolean {
  return !seesOwnOnly(actor) || actorText(actor) === actorText(proposer);
}
