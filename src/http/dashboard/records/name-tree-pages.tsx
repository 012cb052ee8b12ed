import { inject, injectable } from '../../../application/ports/inject';
import { ReadNameTree } from '../../../application/dns/records/read-name-tree';
import { FindDomain } from '../../../application/registration/find-domain';
import { ROOT } from '../../../domain/dns/records/record-name';
import {
  getRequester,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { readParameter } from '../form-fields';
import { displayName } from '../layout/domain/domain-labels';
import { findDomainOf } from '../layout/domain/domain-request';
import { PageRenderer } from '../page-renderer';
import { describeUnusedParameters } from '../unused-parameters';
import { NameTreePage } from './name-tree-page';

const MAX_LENGTH = 253;

/** The tree of the names of a zone. */
@injectable()
export class NameTreePages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ReadNameTree) private readonly readNameTree: ReadNameTree,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/domains/:id/names', 'read', this.show.bind(this), { cost: WIDE }]];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await findDomainOf(req, res, this.findDomain);
    const given = readParameter(req, 'at').trim().toLowerCase().slice(0, MAX_LENGTH);
    const at = given === '' ? ROOT : given;
    const names = await this.readNameTree.execute(getRequester(res), domain.id, at);
    this.renderer.render(
      req,
      res,
      {
        title: `Names of ${displayName(domain.name)}`,
        section: 'domains',
        warning: describeUnusedParameters(req, { at: true }),
      },
      <NameTreePage domain={domain} at={at} {...names} />,
    );
  }
}
