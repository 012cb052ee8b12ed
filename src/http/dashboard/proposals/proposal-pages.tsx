import { inject, injectable } from '../../../application/ports/inject';
import { FindMoves } from '../../../application/moves/find-moves';
import { DecideProposal } from '../../../application/proposals/decide-proposal';
import { FindProposals } from '../../../application/proposals/find-proposals';
import { ProposedSpend } from '../../../application/proposals/proposed-spend';
import { VisibleDomains } from '../../../application/registration/visible-domains';
import type { ListedProposal } from '../../../application/ports/access/proposals';
import type { Proposal } from '../../../domain/access/proposals/proposal';
import { ProposedWrites } from '../../api/proposals/proposed-writes';
import type { JsonResult } from '../../shared/result';
import { ActorDirectory } from '../activity/actor-names';
import { buildUrl } from '../build-url';
import {
  BULK,
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { DashboardSettings } from '../dashboard-settings';
import { setFlash, type Flash } from '../flash';
import { readField, readOptionalField, readParameter } from '../form-fields';
import { attempt, issuesText, type FormIssues } from '../form-issues';
import { formatCursor, loadListPage, parseCursor, type ListPage } from '../list-page';
import { PageRenderer } from '../page-renderer';
import { Reauthentication } from '../reauthentication/reauthentication';
import { redirect } from '../redirect';
import { describeUnusedParameters } from '../unused-parameters';
import { describeWrite, domainIdOf, nameOf } from './describe-write';
import { needsReauthentication } from './needs-reauthentication';
import { ProposalPage } from './proposal-page';
import { ProposalsPage } from './proposals-page';
import { readCost } from './read-plan';

const PAGE_SIZE = 20;
/** People whose role is for some tags see no proposals: those of programs may be about other domains. */
const OF_ACCOUNT = { everyDomain: true };

/** Proposals of programs, which people accept and reject. */
@injectable()
export class ProposalPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(FindProposals) private readonly proposals: FindProposals,
    @inject(ProposedSpend) private readonly spend: ProposedSpend,
    @inject(FindMoves) private readonly moves: Pick<FindMoves, 'countIncoming'>,
    @inject(DecideProposal) private readonly decide: DecideProposal,
    @inject(ProposedWrites) private readonly writes: ProposedWrites,
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    const before = this.reauthentication.require((req, res) => this.needsReauthentication(req, res));
    return [
      ['get', '/proposals', 'read', this.list.bind(this), OF_ACCOUNT],
      ['get', '/proposals/:proposalId', 'read', this.show.bind(this), OF_ACCOUNT],
      // What the role must allow is that of the write.
      ['post', '/proposals/:proposalId/accept', 'read', this.accept.bind(this), { ...OF_ACCOUNT, cost: BULK, before }],
      ['post', '/proposals/:proposalId/reject', 'settings', this.reject.bind(this), OF_ACCOUNT],
      ['post', '/proposals/:proposalId/withdraw', 'read', this.withdraw.bind(this), OF_ACCOUNT],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const requester = getRequester(res);
    const [undecided, decided, actors, incomingMoves] = await Promise.all([
      this.loadPage(req, res, { undecided: true, parameter: 'before' }),
      this.loadPage(req, res, { undecided: false, parameter: 'decided_before' }),
      this.actors.of(requester),
      this.moves.countIncoming(requester),
    ]);
    const names = await this.namesOf(res, [...undecided.items, ...decided.items]);
    const isUsed = (name: string) => parseCursor(readParameter(req, name)) !== undefined;
    const used = { before: isUsed('before'), decided_before: isUsed('decided_before') };
    this.renderer.render(
      req,
      res,
      { title: 'Proposals', section: 'proposals', warning: describeUnusedParameters(req, used) },
      <ProposalsPage
        undecided={undecided}
        decided={decided}
        names={names}
        actors={actors}
        incomingMoves={incomingMoves}
      />,
    );
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    return this.showProposal(req, res, await this.find(req, res));
  }

  /** With the rights of the person who accepts. */
  private async accept(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const scope = res.locals.userSession.user.role === 'owner' ? 'ADMIN' : 'WRITE';
    const outcome = await attempt(() => this.writes.accept({ ...readDecision(req, res), scope }));
    if ('issues' in outcome) return this.refuse(req, res, outcome.issues);
    const { proposal, response } = outcome.result;
    const { auth_code: authCode } = (response.body ?? {}) as { readonly auth_code?: unknown };
    // Not as a flash message, which is stored in the session.
    if (typeof authCode === 'string') return this.showProposal(req, res, proposal, { authCode });
    setFlash(req, describeOutcome(proposal, response));
    redirect(res, `/proposals/${proposal.id}`);
  }

  private async reject(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() => this.decide.reject(readDecision(req, res)));
    if ('issues' in outcome) return this.refuse(req, res, outcome.issues);
    setFlash(req, { kind: 'success', text: 'The proposal is rejected. Nothing was changed.' });
    redirect(res, '/proposals');
  }

  private async withdraw(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() => this.decide.withdraw(readDecision(req, res)));
    if ('issues' in outcome) return this.refuse(req, res, outcome.issues);
    setFlash(req, { kind: 'success', text: 'The proposal is withdrawn. Nothing was changed.' });
    redirect(res, '/proposals');
  }

  /** A comment can be corrected; of a proposal that is no longer open, its page tells. */
  private async refuse(req: DashboardRequest, res: DashboardResponse, issues: FormIssues): Promise<void> {
    const proposal = await this.find(req, res);
    if (issues.fields.size > 0 && proposal.toState().status === 'open')
      return this.showProposal(req, res, proposal, { issues, values: { comment: readField(req, 'comment') } });
    setFlash(req, { kind: 'warning', text: issuesText(issues) });
    redirect(res, `/proposals/${proposal.id}`);
  }

  private async needsReauthentication(req: DashboardRequest, res: DashboardResponse): Promise<boolean> {
    const proposal = await this.find(req, res);
    const state = proposal.toState();
    return needsReauthentication(proposal.write, {
      body: this.proposals.bodyOf(state),
      cost: readCost(state.plan)?.amount,
      from: this.settings.confirmOrdersFrom,
    });
  }

  private async showProposal(
    req: DashboardRequest,
    res: DashboardResponse,
    found: Proposal,
    more: {
      readonly issues?: FormIssues;
      readonly values?: { readonly comment: string };
      readonly authCode?: string;
    } = {},
  ): Promise<void> {
    const proposal = found.toState();
    const [names, actors, spend] = await Promise.all([
      this.namesOf(res, [proposal]),
      this.actors.of(getRequester(res)),
      this.spend.of(proposal),
    ]);
    this.renderer.render(
      req,
      res,
      {
        title: describeWrite(proposal.write, nameOf(proposal, names), proposal.plan),
        section: 'proposals',
        issues: more.issues,
      },
      <ProposalPage proposal={proposal} names={names} actors={actors} spend={spend} {...more} />,
    );
  }

  private find(req: DashboardRequest, res: DashboardResponse): Promise<Proposal> {
    return this.proposals.byId({ ...getRequester(res), proposalId: req.params['proposalId'] ?? '' });
  }

  private namesOf(res: DashboardResponse, proposals: readonly ListedProposal[]): Promise<ReadonlyMap<string, string>> {
    const ids = proposals.flatMap(({ write }) => domainIdOf(write) ?? []);
    return this.domains.names(getRequester(res), [...new Set(ids)]);
  }

  private loadPage(
    req: DashboardRequest,
    res: DashboardResponse,
    { undecided, parameter }: { readonly undecided: boolean; readonly parameter: string },
  ): Promise<ListPage<ListedProposal>> {
    return loadListPage({
      size: PAGE_SIZE,
      cursor: parseCursor(readParameter(req, parameter)),
      load: (limit, after) => this.proposals.page(getRequester(res), { undecided }, limit, after),
      url: (last?: ListedProposal) => buildUrl('/proposals', { [parameter]: last && formatCursor(last) }),
    });
  }
}

function readDecision(req: DashboardRequest, res: DashboardResponse) {
  const { accountId, actor } = getRequester(res);
  const proposalId = req.params['proposalId'] ?? '';
  return { accountId, actor, proposalId, comment: readOptionalField(req, 'comment') ?? null };
}

function describeOutcome(proposal: Proposal, { status }: JsonResult): Flash {
  const { error } = proposal.toState();
  if (error) return { kind: 'warning', text: `Accepted, but refused: ${error.message}` };
  if (proposal.isAccepting())
    return { kind: 'warning', text: 'Accepted. The outcome is not known yet: accept it again to learn it.' };
  return {
    kind: 'success',
    text: status === 202 ? 'Accepted and ordered. The registry has not decided yet.' : 'Accepted and done.',
  };
}
