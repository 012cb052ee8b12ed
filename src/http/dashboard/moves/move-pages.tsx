import { inject, injectable } from '../../../application/ports/inject';
import { DecideMove } from '../../../application/moves/decide-move';
import { FindMoves } from '../../../application/moves/find-moves';
import { ProposeMove } from '../../../application/moves/propose-move';
import { FindDomain } from '../../../application/registration/find-domain';
import type { AccountMove, AccountMoveState } from '../../../domain/registration/account-move';
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
import { assertTypedName } from '../domain/danger/typed-name';
import { setFlash } from '../flash';
import { readField, readOptionalField, readParameter } from '../form-fields';
import { attempt, issuesText, type FormIssues } from '../form-issues';
import { displayName } from '../layout/domain/domain-labels';
import { findDomainOf } from '../layout/domain/domain-request';
import { formatCursor, loadListPage, parseCursor } from '../list-page';
import type { FormValues } from '../layout/forms/forms';
import { PageRenderer } from '../page-renderer';
import { Reauthentication } from '../reauthentication/reauthentication';
import { redirect } from '../redirect';
import { readRegistrant, toRegistrantValues } from '../registrant/registrant-fields';
import { describeUnusedParameters } from '../unused-parameters';
import { assertMayTransfer } from '../user-session';
import { MovePage } from './move-page';
import { MovesPage } from './moves-page';
import { OfferPage } from './offer-page';

const PAGE_SIZE = 20;
/** People whose role is for some tags see no list: the tags of another account's names are not theirs. */
const OF_ACCOUNT = { everyDomain: true };

/** Names that move to another account, as both accounts see them. */
@injectable()
export class MovePages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ProposeMove) private readonly proposeMove: ProposeMove,
    @inject(DecideMove) private readonly decideMove: DecideMove,
    @inject(FindMoves) private readonly moves: FindMoves,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
  ) {}

  get routes(): readonly DashboardRoute[] {
    const before = this.reauthentication.requireForTransfer();
    const confirmed = this.reauthentication.require(async () => true);
    return [
      ['get', '/domains/:id/move', 'transfer', this.showOffer.bind(this)],
      ['post', '/domains/:id/move', 'transfer', this.offer.bind(this), { cost: BULK, before }],
      ['get', '/moves', 'read', this.list.bind(this), OF_ACCOUNT],
      ['get', '/moves/:moveId', 'read', this.show.bind(this), OF_ACCOUNT],
      [
        'post',
        '/moves/:moveId/accept',
        'transfer',
        this.accept.bind(this),
        { ...OF_ACCOUNT, cost: BULK, before: confirmed },
      ],
      ['post', '/moves/:moveId/reject', 'transfer', this.reject.bind(this), OF_ACCOUNT],
      ['post', '/moves/:moveId/withdraw', 'transfer', this.withdraw.bind(this)],
    ];
  }

  private showOffer(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    assertMayTransfer(res.locals.userSession);
    return this.review(req, res);
  }

  private async offer(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { id, name } = await findDomainOf(req, res, this.findDomain);
    const values = { account_id: readField(req, 'account_id').trim(), reason: readField(req, 'reason') };
    const outcome = await attempt(async () => {
      assertTypedName(req, name);
      const { account_id: toAccountId, reason } = values;
      return this.proposeMove.execute({ ...getRequester(res), domainId: id, toAccountId, reason });
    });
    if ('issues' in outcome) return this.review(req, res, { values, issues: outcome.issues });
    setFlash(req, { kind: 'success', text: `${displayName(name)} is offered. It stays here until it is accepted.` });
    redirect(res, `/moves/${outcome.result.id}`);
  }

  private async review(
    req: DashboardRequest,
    res: DashboardResponse,
    refused?: { readonly values: FormValues; readonly issues: FormIssues },
  ): Promise<void> {
    const domain = await findDomainOf(req, res, this.findDomain);
    const review = await attempt(() => this.proposeMove.review({ ...getRequester(res), domainId: domain.id }));
    const issues = refused?.issues ?? ('issues' in review ? review.issues : undefined);
    const offer = 'result' in review ? review.result : undefined;
    this.renderer.render(
      req,
      res,
      { title: `Move ${displayName(domain.name)} to another account`, section: 'domains', issues },
      <OfferPage domain={domain} offer={offer} values={refused?.values ?? {}} issues={issues} />,
    );
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const requester = getRequester(res);
    const cursor = parseCursor(readParameter(req, 'before'));
    const moves = await loadListPage({
      size: PAGE_SIZE,
      cursor,
      load: (limit, after) => this.moves.page(requester, {}, limit, after),
      url: (last?: AccountMoveState) => buildUrl('/moves', { before: last && formatCursor(last) }),
    });
    const warning = describeUnusedParameters(req, { before: cursor !== undefined });
    this.renderer.render(
      req,
      res,
      { title: 'Moves between accounts', section: 'proposals', warning },
      <MovesPage accountId={requester.accountId} moves={moves} />,
    );
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    return this.showMove(req, res, await this.find(req, res));
  }

  private async accept(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const registrant = readField(req, 'registrant') === 'own' ? readRegistrant(req) : undefined;
    const outcome = await attempt(() => this.decideMove.accept({ ...readDecision(req, res), registrant }));
    if ('issues' in outcome) {
      const values = registrant ? { ...toRegistrantValues(registrant), registrant: 'own' } : {};
      return this.refuse(req, res, outcome.issues, values);
    }
    const { name, domainId } = outcome.result.move.toState();
    setFlash(req, { kind: 'success', text: `${displayName(name)} is in this account now.` });
    redirect(res, `/domains/${domainId}`);
  }

  private async reject(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() => this.decideMove.reject(readDecision(req, res)));
    if ('issues' in outcome) return this.refuse(req, res, outcome.issues);
    setFlash(req, { kind: 'success', text: 'The move is rejected. Nothing was changed.' });
    redirect(res, '/moves');
  }

  private async withdraw(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() => this.decideMove.withdraw(readDecision(req, res)));
    if ('issues' in outcome) return this.refuse(req, res, outcome.issues);
    setFlash(req, { kind: 'success', text: 'The move is withdrawn. Nothing was changed.' });
    redirect(res, `/moves/${outcome.result.id}`);
  }

  /** What was entered can be corrected; of a move that cannot be accepted, its page tells. */
  private async refuse(
    req: DashboardRequest,
    res: DashboardResponse,
    issues: FormIssues,
    entered: FormValues = {},
  ): Promise<void> {
    const move = await this.find(req, res);
    if (issues.fields.size > 0 && move.toState().status === 'open')
      return this.showMove(req, res, move, { issues, values: { ...entered, comment: readField(req, 'comment') } });
    setFlash(req, { kind: 'warning', text: issuesText(issues) });
    redirect(res, `/moves/${move.id}`);
  }

  private async showMove(
    req: DashboardRequest,
    res: DashboardResponse,
    found: AccountMove,
    more: { readonly issues?: FormIssues; readonly values?: FormValues } = {},
  ): Promise<void> {
    const requester = getRequester(res);
    const move = found.toState();
    const [parties, actors] = await Promise.all([
      this.moves.namesOf(move.accountId, move.toAccountId),
      this.actors.of(requester),
    ]);
    this.renderer.render(
      req,
      res,
      { title: `Move of ${displayName(move.name)}`, section: 'proposals', issues: more.issues },
      <MovePage move={move} accountId={requester.accountId} parties={parties} actors={actors} {...more} />,
    );
  }

  private find(req: DashboardRequest, res: DashboardResponse): Promise<AccountMove> {
    return this.moves.byId({ ...getRequester(res), moveId: req.params['moveId'] ?? '' });
  }
}

function readDecision(req: DashboardRequest, res: DashboardResponse) {
  const comment = readOptionalField(req, 'comment') ?? null;
  return { ...getRequester(res), moveId: req.params['moveId'] ?? '', comment };
}
