import { inject, injectable } from 'inversify';
import { ReadZoneHistory } from '../../../application/dns/zones/read-zone-history';
import { RollBackZone } from '../../../application/dns/zones/roll-back-zone';
import { FindDomain } from '../../../application/registration/find-domain';
import { RouteNotFound } from '../../shared/errors';
import { ActorDirectory } from '../activity/actor-names';
import { addressOf } from '../address-of';
import { displayName } from '../domains/domain-words';
import { attempt } from '../form-issues';
import { field, parameter } from '../form-fields';
import { unusedParameters } from '../list-parameters';
import { setFlash } from '../notice';
import { Pages } from '../pages';
import {
  requesterOf,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../visitor';
import { HistoryPage } from './history-page';
import { RestorePage } from './restore-page';
import { restoring } from './restore-form';
import { VersionPage } from './version-page';
import { seeOther } from '../see-other';

const PAGE_SIZE = 50;

/** What became of a zone, and the way back. */
@injectable()
export class HistoryPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ReadZoneHistory) private readonly history: ReadZoneHistory,
    @inject(RollBackZone) private readonly restoreVersion: RollBackZone,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/history', 'member', this.list.bind(this)],
      ['get', '/domains/:id/history/:version', 'member', this.show.bind(this)],
      ['get', '/domains/:id/history/:version/restore', 'member', this.plan.bind(this)],
      ['post', '/domains/:id/history/:version/restore', 'member', this.restore.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const before = readVersion(parameter(req, 'before'));
    const found = await this.history.page(domain.accountId, domain.id, PAGE_SIZE + 1, before);
    const versions = found.slice(0, PAGE_SIZE);
    const last = found.length > PAGE_SIZE ? versions.at(-1) : undefined;
    const path = `/domains/${domain.id}/history`;
    const ways = {
      older: last && addressOf(path, { before: String(last.version) }),
      first: before === undefined ? undefined : path,
    };
    const names = await this.actors.of(domain.accountId);
    this.pages.send(
      req,
      res,
      {
        title: `DNS history of ${displayName(domain.name)}`,
        section: 'domains',
        warning: unusedParameters(req, { before: before !== undefined }),
      },
      <HistoryPage domain={domain} versions={versions} names={names} {...ways} />,
    );
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const zone = await this.history.version(domain.accountId, domain.id, versionOf(req));
    const names = await this.actors.of(domain.accountId);
    this.pages.send(
      req,
      res,
      { title: `Version ${zone.version} of ${displayName(domain.name)}`, section: 'domains' },
      <VersionPage domain={domain} zone={zone} names={names} />,
    );
  }

  private async plan(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const version = versionOf(req);
    const plan = await this.restoreVersion.plan({ ...requesterOf(res), domainId: domain.id, version });
    this.pages.send(
      req,
      res,
      { title: `Restore version ${version} of ${displayName(domain.name)}`, section: 'domains' },
      <RestorePage domain={domain} version={version} plan={plan} />,
    );
  }

  private async restore(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [domainId, version, expected] = [req.params['id'] ?? '', versionOf(req), Number(field(req, 'expected'))];
    const outcome = await attempt(() =>
      this.restoreVersion.execute({ ...requesterOf(res), domainId, version, expectedVersions: [expected] }),
    );
    if ('issues' in outcome)
      setFlash(req, { kind: 'warning', text: outcome.issues.message ?? 'The version could not be brought back.' });
    else
      setFlash(req, {
        kind: 'done',
        text: `The records of version ${version} are back.`,
        undo: restoring(domainId, { version: expected, expected: outcome.result.zoneVersion }),
      });
    seeOther(res, `/domains/${domainId}/records`);
  }

  private async find(req: DashboardRequest, res: DashboardResponse) {
    return (
      await this.findDomain.byId({ accountId: res.locals.visitor.accountId, domainId: req.params['id'] ?? '' })
    ).toState();
  }
}

/** Undefined for what no pager wrote. */
function readVersion(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

function versionOf(req: DashboardRequest): number {
  const text = req.params['version'] ?? '';
  if (!/^\d{1,15}$/.test(text)) throw new RouteNotFound();
  return Number(text);
}
