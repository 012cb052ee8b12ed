import { inject, injectable } from '../../../../application/ports/inject';
import { ReadZoneHistory } from '../../../../application/dns/zones/history/read-zone-history';
import { UndoZoneChange } from '../../../../application/dns/zones/history/undo-zone-change';
import { asPartOf } from '../../../../application/access/approvals/approval-needed';
import { RollBackZone } from '../../../../application/dns/zones/history/roll-back-zone';
import type { ZoneVersion } from '../../../../application/ports/dns/zone-repository';
import { FindDomain } from '../../../../application/registration/find-domain';
import { RouteNotFound } from '../../../shared/errors';
import { ActorDirectory } from '../../activity/actor-names';
import { buildUrl } from '../../build-url';
import type { DomainState } from '../../../../domain/registration/domain';
import { findDomainOf } from '../../layout/domain/domain-request';
import { displayName } from '../../layout/domain/domain-labels';
import { attempt } from '../../form-issues';
import { readField, readParameter } from '../../form-fields';
import { describeUnusedParameters } from '../../unused-parameters';
import type { ListPage } from '../../list-page';
import { setFlash } from '../../flash';
import { PageRenderer } from '../../page-renderer';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../../dashboard-route';
import { HistoryPage } from './history-page';
import { RollBackPage } from './roll-back-page';
import { buildRollBackForm } from './roll-back-form';
import { UndoChangePage } from './undo-change-page';
import { ZoneVersionPage } from './zone-version-page';
import { redirect } from '../../redirect';

const PAGE_SIZE = 50;

/** The versions of a zone, and rollback to one of them. */
@injectable()
export class HistoryPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ReadZoneHistory) private readonly history: ReadZoneHistory,
    @inject(RollBackZone) private readonly rollBackZone: RollBackZone,
    @inject(UndoZoneChange) private readonly undoChange: UndoZoneChange,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/history', 'read', this.list.bind(this)],
      ['get', '/domains/:id/history/:version', 'read', this.show.bind(this)],
      ['get', '/domains/:id/history/:version/roll-back', 'write', this.reviewRollBack.bind(this)],
      ['post', '/domains/:id/history/:version/roll-back', 'write', this.rollBack.bind(this)],
      ['get', '/domains/:id/history/:version/undo', 'write', this.reviewUndo.bind(this)],
      ['post', '/domains/:id/history/:version/undo', 'write', this.undo.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const cursor = parseVersion(readParameter(req, 'before'));
    const recordId = parseRecordId(readParameter(req, 'record'));
    const query = { limit: PAGE_SIZE, before: cursor, recordId };
    const { versions, next } = await this.history.page(getRequester(res), domain.id, query);
    const url = (before?: number) =>
      buildUrl(`/domains/${domain.id}/history`, { record: recordId, before: before?.toString() });
    const page: ListPage<ZoneVersion> = {
      items: versions,
      next: next === undefined ? undefined : url(next),
      first: cursor === undefined ? undefined : url(),
    };
    const [names, changes] = await Promise.all([
      this.actors.of(getRequester(res)),
      this.history.smallChanges(getRequester(res), domain.id, versions),
    ]);
    this.renderer.render(
      req,
      res,
      {
        title: `DNS history of ${displayName(domain.name)}`,
        section: 'domains',
        warning: describeUnusedParameters(req, { before: cursor !== undefined, record: recordId !== undefined }),
      },
      <HistoryPage domain={domain} page={page} names={names} changes={changes} recordId={recordId} />,
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
      asPartOf({ kind: 'roll_back', domainId, version: expected, to: version }, () =>
        this.rollBackZone.execute({ ...getRequester(res), domainId, version, expectedVersions: [expected] }),
      ),
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

  private async reviewUndo(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const version = readVersion(req);
    const plan = await this.undoChange.plan({ ...getRequester(res), domainId: domain.id, version });
    this.renderer.render(
      req,
      res,
      { title: `Undo version ${version} of ${displayName(domain.name)}`, section: 'domains' },
      <UndoChangePage domain={domain} version={version} plan={plan} />,
    );
  }

  private async undo(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [domainId, version] = [req.params['id'] ?? '', readVersion(req)];
    const expected = Number(readField(req, 'expected'));
    const outcome = await attempt(() =>
      this.undoChange.execute({ ...getRequester(res), domainId, version, expectedVersions: [expected] }),
    );
    if ('issues' in outcome) {
      const text = outcome.issues.message ?? 'The change was not undone. Check the history of the zone and try again.';
      setFlash(req, { kind: 'warning', text });
      return redirect(res, `/domains/${domainId}/history/${version}/undo`);
    }
    setFlash(req, {
      kind: 'success',
      text: `The change of version ${version} is undone.`,
      undo: buildRollBackForm(domainId, { version: expected, expected: outcome.result.zoneVersion }),
    });
    redirect(res, `/domains/${domainId}/records`);
  }

  private find(req: DashboardRequest, res: DashboardResponse): Promise<DomainState> {
    return findDomainOf(req, res, this.findDomain);
  }
}

/** Returns undefined unless a page link made the text. */
function parseVersion(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

function parseRecordId(text: string): string | undefined {
  return /^rec_[0-9a-z]{1,36}$/.test(text) ? text : undefined;
}

function readVersion(req: DashboardRequest): number {
  const text = req.params['version'] ?? '';
  if (!/^\d{1,15}$/.test(text)) throw new RouteNotFound();
  return Number(text);
}
