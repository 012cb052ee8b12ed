import { inject, injectable } from '../../../application/ports/inject';
import { ReadZoneHistory } from '../../../application/dns/zones/read-zone-history';
import { RollBackZone } from '../../../application/dns/zones/roll-back-zone';
import type { ZoneVersion } from '../../../application/ports/dns/zone-repository';
import { FindDomain } from '../../../application/registration/find-domain';
import { RouteNotFound } from '../../shared/errors';
import { ActorDirectory } from '../activity/actor-names';
import { buildUrl } from '../build-url';
import { displayName } from '../layout/domain/domain-labels';
import { attempt } from '../form-issues';
import { readField, readParameter } from '../form-fields';
import { describeUnusedParameters } from '../unused-parameters';
import { loadListPage } from '../list-page';
import { setFlash } from '../flash';
import { PageRenderer } from '../page-renderer';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { HistoryPage } from './history-page';
import { RollBackPage } from './roll-back-page';
import { buildRollBackForm } from './roll-back-form';
import { ZoneVersionPage } from './zone-version-page';
import { redirect } from '../redirect';

const PAGE_SIZE = 50;

/** The versions of a zone, and rollback to one of them. */
@injectable()
export class HistoryPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ReadZoneHistory) private readonly history: ReadZoneHistory,
    @inject(RollBackZone) private readonly rollBackZone: RollBackZone,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/history', 'read', this.list.bind(this)],
      ['get', '/domains/:id/history/:version', 'read', this.show.bind(this)],
      ['get', '/domains/:id/history/:version/roll-back', 'write', this.reviewRollBack.bind(this)],
      ['post', '/domains/:id/history/:version/roll-back', 'write', this.rollBack.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const cursor = parseVersion(readParameter(req, 'before'));
    const page = await loadListPage({
      size: PAGE_SIZE,
      cursor,
      load: async (limit, before) => (await this.history.page(getRequester(res), domain.id, limit, before)).versions,
      url: (last?: ZoneVersion) => buildUrl(`/domains/${domain.id}/history`, { before: last && String(last.version) }),
    });
    const [names, changes] = await Promise.all([
      this.actors.of(getRequester(res)),
      this.history.smallChanges(getRequester(res), domain.id, page.items),
    ]);
    this.renderer.render(
      req,
      res,
      {
        title: `DNS history of ${displayName(domain.name)}`,
        section: 'domains',
        warning: describeUnusedParameters(req, { before: cursor !== undefined }),
      },
      <HistoryPage domain={domain} page={page} names={names} changes={changes} />,
    );
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const zone = await this.history.version(getRequester(res), domain.id, readVersion(req));
    const names = await this.actors.of(getRequester(res));
    this.renderer.render(
      req,
      res,
      { title: `Version ${zone.version} of ${displayName(domain.name)}`, section: 'domains' },
      <ZoneVersionPage domain={domain} zone={zone} names={names} />,
    );
  }

  private async reviewRollBack(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const version = readVersion(req);
    const plan = await this.rollBackZone.plan({ ...getRequester(res), domainId: domain.id, version });
    this.renderer.render(
      req,
      res,
      { title: `Roll back to version ${version} of ${displayName(domain.name)}`, section: 'domains' },
      <RollBackPage domain={domain} version={version} plan={plan} />,
    );
  }

  private async rollBack(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [domainId, version, expected] = [
      req.params['id'] ?? '',
      readVersion(req),
      Number(readField(req, 'expected')),
    ];
    const outcome = await attempt(() =>
      this.rollBackZone.execute({ ...getRequester(res), domainId, version, expectedVersions: [expected] }),
    );
    if ('issues' in outcome)
      setFlash(req, {
        kind: 'warning',
        text: outcome.issues.message ?? 'The zone was not rolled back. Check its history and try again.',
      });
    else
      setFlash(req, {
        kind: 'success',
        text: `The zone is rolled back to the records of version ${version}.`,
        undo: buildRollBackForm(domainId, { version: expected, expected: outcome.result.zoneVersion }),
      });
    redirect(res, `/domains/${domainId}/records`);
  }

  private async find(req: DashboardRequest, res: DashboardResponse) {
    return (await this.findDomain.byId({ ...getRequester(res), domainId: req.params['id'] ?? '' })).toState();
  }
}

/** Returns undefined unless a page link made the text. */
function parseVersion(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

function readVersion(req: DashboardRequest): number {
  const text = req.params['version'] ?? '';
  if (!/^\d{1,15}$/.test(text)) throw new RouteNotFound();
  return Number(text);
}
