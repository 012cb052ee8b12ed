import { inject, injectable } from '../../../application/ports/inject';
import { SavedViews } from '../../../application/portfolio/saved-views';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { setFlash } from '../flash';
import { readField } from '../form-fields';
import { attempt } from '../form-issues';
import { redirect } from '../redirect';

/** Saves and deletes views of the domain list. */
@injectable()
export class ViewPages implements DashboardPages {
  constructor(@inject(SavedViews) private readonly views: SavedViews) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['post', '/domain-views', 'settings', this.save.bind(this), { everyDomain: true }],
      ['post', '/domain-views/delete', 'settings', this.remove.bind(this), { everyDomain: true }],
    ];
  }

  private async save(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const query = new URLSearchParams(readField(req, 'query')).toString();
    const name = readField(req, 'name');
    const outcome = await attempt(() => this.views.save(res.locals.userSession.accountId, { name, query }));
    setFlash(
      req,
      'issues' in outcome
        ? { kind: 'warning', text: `The view was not saved: ${[...outcome.issues.fields.values()].join('. ')}.` }
        : { kind: 'success', text: 'The view was saved. Everyone in the account sees it.' },
    );
    redirect(res, `/domains?${query}`);
  }

  private async remove(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { accountId } = res.locals.userSession;
    const name = readField(req, 'name');
    const query = (await this.views.list(accountId)).find((view) => view.name === name)?.query ?? '';
    await this.views.remove(accountId, name);
    setFlash(req, {
      kind: 'success',
      text: `The view “${name.slice(0, 40)}” was deleted.`,
      undo: { action: '/domain-views', fields: { name, query } },
    });
    redirect(res, '/domains');
  }
}
