import { inject, injectable } from '../../../application/ports/inject';
import {
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { readParameter } from '../form-fields';
import { PageRenderer } from '../page-renderer';
import { describeUnusedParameters } from '../unused-parameters';
import { PaletteItems } from './palette-items';
import { SearchPage } from './search-page';

const MAX_LENGTH = 100;

/** Finds what the account has, its pages and actions: as JSON for the command palette, and as a page, which needs no script. */
@injectable()
export class PalettePages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(PaletteItems) private readonly items: PaletteItems,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/palette', 'read', this.answerPalette.bind(this), { cost: WIDE }],
      ['get', '/search', 'read', this.showPage.bind(this), { cost: WIDE }],
    ];
  }

  /** The palette gives up a request when more is typed. */
  private async answerPalette(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const abandoned = new AbortController();
    res.on('close', () => abandoned.abort());
    const { items, isComplete } = await this.items.find(res, readText(req), abandoned.signal);
    res.type('json').send(JSON.stringify({ items, ...(!isComplete && { isComplete }) }));
  }

  private async showPage(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const text = readText(req);
    const result = text === '' ? { items: [], isComplete: true } : await this.items.find(res, text);
    const warning = describeUnusedParameters(req, { q: true });
    this.renderer.render(
      req,
      res,
      { title: text === '' ? 'Search' : `Search: ${text}`, warning },
      <SearchPage text={text} {...result} />,
    );
  }
}

function readText(req: DashboardRequest): string {
  return readParameter(req, 'q').trim().slice(0, MAX_LENGTH);
}
