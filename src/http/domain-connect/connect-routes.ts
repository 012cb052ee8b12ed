import { Router, type Request, type Response } from 'express';
import { inject, injectable } from '../../application/ports/inject';
import { ConnectCatalog } from '../../application/dns/domain-connect/catalog/connect-catalog';
import { ReadConnectSettings } from '../../application/dns/domain-connect/read-connect-settings';
import { RouteNotFound } from '../shared/errors';
import { readOnly } from '../shared/read-only';
import { respondJson } from '../shared/respond';
import { ok } from '../shared/result';

/** What service providers ask before they send a person here. Public; the page for the person is one of the dashboard. */
@injectable()
export class ConnectRoutes {
  readonly router = Router({ caseSensitive: true });

  constructor(
    @inject(ReadConnectSettings) private readonly settings: ReadConnectSettings,
    @inject(ConnectCatalog) private readonly catalog: ConnectCatalog,
  ) {
    this.router.route('/v2/:domain/settings').get(this.showSettings.bind(this)).all(readOnly);
    this.router
      .route('/v2/domainTemplates/providers/:providerId/services/:serviceId')
      .get(this.showTemplate.bind(this))
      .all(readOnly);
  }

  private async showSettings({ params }: Request<{ domain: string }>, res: Response): Promise<void> {
    const found = await this.settings.execute(params.domain);
    if (!found) throw new RouteNotFound();
    const { url, host, nameServers } = found;
    respondJson(
      res,
      ok({ providerId: host, providerName: host, providerDisplayName: host, urlSyncUX: url, urlAPI: url, nameServers }),
    );
  }

  private async showTemplate(
    { params }: Request<{ providerId: string; serviceId: string }>,
    res: Response,
  ): Promise<void> {
    const template = await this.catalog.find(params.providerId, params.serviceId);
    // Those that cannot be applied in this flow are not supported.
    if (!template || template.syncBlock) throw new RouteNotFound();
    respondJson(res, ok(template.version === undefined ? {} : { version: template.version }));
  }
}
