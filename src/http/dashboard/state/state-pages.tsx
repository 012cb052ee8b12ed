import { inject, injectable } from '../../../application/ports/inject';
import { ListDrifted } from '../../../application/desired-state/list-drifted';
import { ReadState } from '../../../application/desired-state/read-state';
import { SettleDrift, type SettleDriftCommand } from '../../../application/desired-state/settle-drift';
import type { StatePlan } from '../../../application/desired-state/state-plan';
import { FindDomain } from '../../../application/registration/find-domain';
import { ActorDirectory } from '../activity/actor-names';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { setFlash } from '../flash';
import { readField } from '../form-fields';
import { attempt } from '../form-issues';
import { displayName } from '../layout/domain/domain-labels';
import { findDomainOf } from '../layout/domain/domain-request';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { DriftPage } from './drift-page';
import { StatePage } from './state-page';

/** Whose records are set back or adopted disappear from the list, so that the next ones follow. */
const MAX_LISTED = 100;

/** The desired state of a name and its drift, which is set back or adopted. */
@injectable()
export class StatePages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ReadState) private readonly readState: ReadState,
    @inject(ListDrifted) private readonly listDrifted: ListDrifted,
    @inject(SettleDrift) private readonly settleDrift: SettleDrift,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/drift', 'read', this.list.bind(this)],
      ['get', '/domains/:id/state', 'write', this.show.bind(this)],
      ['post', '/domains/:id/state/set-back', 'write', this.setBack.bind(this)],
      ['post', '/domains/:id/state/adopt', 'write', this.adopt.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { items, next } = await this.listDrifted.page(getRequester(res), MAX_LISTED);
    const head = { title: 'Changed by hand', section: 'domains' } as const;
    this.renderer.render(req, res, head, <DriftPage states={items} hasMore={next !== undefined} />);
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { name } = await findDomainOf(req, res, this.findDomain);
    const requester = getRequester(res);
    const [report, names] = await Promise.all([
      this.readState.execute({ ...requester, name }),
      this.actors.of(requester),
    ]);
    this.renderer.render(
      req,
      res,
      { title: `Desired state of ${displayName(name)}`, section: 'domains' },
      <StatePage report={report} names={names} />,
    );
  }

  private setBack(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const settle = (command: SettleDriftCommand) => this.settleDrift.setBack(command);
    return this.settle(req, res, settle, 'is set back to its desired state');
  }

  private adopt(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const settle = (command: SettleDriftCommand) => this.settleDrift.adopt(command);
    return this.settle(req, res, settle, 'is as its desired state says from now on');
  }

  private async settle(
    req: DashboardRequest,
    res: DashboardResponse,
    settle: (command: SettleDriftCommand) => Promise<StatePlan>,
    done: string,
  ): Promise<void> {
    const { id, name } = await findDomainOf(req, res, this.findDomain);
    const settings = readField(req, 'settings');
    const expected = { zone: Number(readField(req, 'zone')), settings: settings === '' ? null : settings };
    const outcome = await attempt(() => settle({ ...getRequester(res), name, expected }));
    if ('issues' in outcome) {
      const text = outcome.issues.message ?? 'Nothing was changed. Check the changes and try again.';
      setFlash(req, { kind: 'warning', text });
    } else setFlash(req, { kind: 'success', text: `${displayName(name)} ${done}.` });
    redirect(res, `/domains/${id}/state`);
  }
}
