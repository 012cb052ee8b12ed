import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { inject, injectable, optional } from '../../application/ports/inject';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { RegistrySandbox } from '../../application/ports/registry/registry-sandbox';
import { Clock, LifecycleClock } from '../../application/ports/system';
import { waitForNextSlice } from '../../application/shared/run-cooperatively';
import { accountOf } from '../shared/unread-responses';
import { DashboardSettings } from './dashboard-settings';
import { consumeFlash } from './flash';
import { NO_ISSUES, type FormIssues } from './form-issues';
import { Document } from './layout/document';
import type { Section } from './layout/navigation';
import { PageContext } from './layout/page-context';
import { FormTokens } from './middleware/form-tokens';
import { readReturnPath, SavedForms } from './middleware/saved-forms';
import type { UserSession } from './user-session';

export interface PageHead {
  readonly title: string;
  readonly section?: Section;
  /** Shown above the page. */
  readonly warning?: string | undefined;
  /** Status and Retry-After of the response. Default: 200. */
  readonly issues?: Pick<FormIssues, 'status' | 'retryAfterSeconds'> | undefined;
}

/** Marks the position of streamed content in the rendered page. */
const PLACEHOLDER = '<!-- stream -->';

/** Renders Preact components to whole HTML pages and sends them. */
@injectable()
export class PageRenderer {
  constructor(
    @inject(FormTokens) private readonly tokens: FormTokens,
    @inject(SavedForms) private readonly savedForms: SavedForms,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
    @inject(RegistrySandbox) @optional() private readonly sandbox?: RegistrySandbox,
  ) {}

  render(req: Request, res: Response, head: PageHead, content: ComponentChildren): void {
    const page = renderDocument(head, content, this.buildContext(req, res));
    setHead(res, head);
    res.send(page);
  }

  /** Streams a page with a list: each item is sent as soon as `items` yields it. Works without scripts. */
  async renderList(
    req: Request,
    res: Response,
    head: PageHead,
    frame: (items: VNode) => VNode,
    items: AsyncIterable<VNode>,
  ): Promise<void> {
    const context = this.buildContext(req, res);
    const page = renderDocument(head, frame(<span dangerouslySetInnerHTML={{ __html: PLACEHOLDER }} />), context);
    await streamPage(res, head, page, `<span>${PLACEHOLDER}</span>`, renderItems(items, context));
  }

  /** Streams a page around a long text. `frame` gets the placeholder of the text, as HTML. */
  async renderAroundText(
    req: Request,
    res: Response,
    head: PageHead,
    frame: (placeholder: string) => VNode,
    text: Iterable<string>,
  ): Promise<void> {
    const page = renderDocument(head, frame(PLACEHOLDER), this.buildContext(req, res));
    await streamPage(res, head, page, PLACEHOLDER, escapeText(text, accountOf(res)));
  }

  private buildContext(req: Request, res: Response): PageContext {
    const userSession = res.locals['userSession'] as UserSession | undefined;
    return {
      userSession,
      newNotifications: res.locals['newNotifications'] as number | undefined,
      undecidedProposals: res.locals['undecidedProposals'] as number | undefined,
      // A request has no session while the database is unavailable.
      formToken: hasSession(req) ? this.tokens.create(req, res) : '',
      formOwner: userSession ? this.savedForms.signOwner(userSession.user.id) : '',
      returnPath: req.method === 'GET' ? req.originalUrl : readReturnPath(req.body),
      flash: consumeFlash(req),
      providers: this.settings.identityProviders,
      sandbox: this.sandbox !== undefined,
      now: this.clock.now(),
      today: this.lifecycleClock.now(),
    };
  }
}

function hasSession({ session }: { session?: Request['session'] }): boolean {
  return session !== undefined;
}

function renderContent(content: VNode, context: PageContext): string {
  return renderToString(<PageContext.Provider value={context}>{content}</PageContext.Provider>);
}

function renderDocument(
  { title, section, warning, issues }: PageHead,
  content: ComponentChildren,
  context: PageContext,
): string {
  const page = (
    <Document title={issues && issues.status >= 400 ? `Error: ${title}` : title} section={section} warning={warning}>
      {content}
    </Document>
  );
  return `<!doctype html>${renderContent(page, context)}`;
}

async function* renderItems(items: AsyncIterable<VNode>, context: PageContext): AsyncGenerator<string> {
  for await (const item of items) yield renderContent(item, context);
}

function setHead(res: Response, { issues: { status, retryAfterSeconds } = NO_ISSUES }: PageHead): void {
  if (retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(retryAfterSeconds));
  res.status(status).type('html');
}

/** Sends `page` with `chunks` instead of `placeholder`. Flushes each chunk, and waits while the client reads slowly. */
async function streamPage(
  res: Response,
  head: PageHead,
  page: string,
  placeholder: string,
  chunks: AsyncIterable<string>,
): Promise<void> {
  const position = page.indexOf(placeholder);
  setHead(res, head);
  const parts = async function* () {
    yield page.slice(0, position);
    res.flush();
    for await (const chunk of chunks) {
      yield chunk;
      res.flush();
    }
    yield page.slice(position + placeholder.length);
  };
  await pipeline(parts(), res);
}

/** Escapes text for a textarea, one chunk per turn of the event loop. */
async function* escapeText(text: Iterable<string>, accountId: string): AsyncGenerator<string> {
  // HTML drops the first line feed of a textarea.
  yield '\n';
  for (const chunk of text) {
    yield chunk.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    await waitForNextSlice(accountId);
  }
}
