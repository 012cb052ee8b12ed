import { pipeline } from 'node:stream/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { inject, injectable, optional } from 'inversify';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Request, Response } from 'express';
import { Clock, LifecycleClock } from '../../application/ports/system/clock';
import { RegistrySandbox } from '../../application/ports/registry/registry-sandbox';
import { NO_ISSUES, type FormIssues } from './form-issues';
import { Document, type Section } from './layout/document';
import { PageFacts, type PageContext } from './layout/page-context';
import { FormTokens } from './middleware/form-tokens';
import { KeptForms, placeOf } from './middleware/kept-forms';
import { consumeFlash, type Notice } from './notice';
import type { Visitor } from './visitor';

export interface PageHead {
  readonly title: string;
  readonly section?: Section;
  /** A line above the page. */
  readonly warning?: string | undefined;
  /** What was wrong, where the page is not what was asked for. */
  readonly issues?: Pick<FormIssues, 'status' | 'retryAfterSeconds'> | undefined;
}

/** Where in a page what is sent piece by piece stands. */
const PLACE = '<!-- here -->';

/** Answers pages: nothing of them is kept by browsers or proxies. */
@injectable()
export class Pages {
  constructor(
    @inject(FormTokens) private readonly tokens: FormTokens,
    @inject(KeptForms) private readonly keptForms: KeptForms,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
    @inject(RegistrySandbox) @optional() private readonly sandbox?: RegistrySandbox,
  ) {}

  send(req: Request, res: Response, head: PageHead, content: ComponentChildren): void {
    const page = documentOf(head, content, this.facts(req, res, consumeFlash(req)));
    setHead(res, head);
    res.send(page);
  }

  /** A page with a list whose items come in one by one: each is sent as soon as it is there, with scripts and without. */
  async sendList(
    req: Request,
    res: Response,
    head: PageHead,
    frame: (items: VNode) => VNode,
    items: AsyncIterable<VNode>,
  ): Promise<void> {
    const facts = this.facts(req, res, consumeFlash(req));
    const place = `<span>${PLACE}</span>`;
    const pieces = async function* () {
      for await (const item of items) yield render(item, facts);
    };
    await sendAround(
      res,
      head,
      documentOf(head, frame(<span dangerouslySetInnerHTML={{ __html: PLACE }} />), facts),
      place,
      pieces(),
    );
  }

  /** A page around a long text, which is sent piece by piece; `frame` is given what marks its place, as HTML. */
  async sendAroundText(
    req: Request,
    res: Response,
    head: PageHead,
    frame: (place: string) => VNode,
    text: Iterable<string>,
  ): Promise<void> {
    const facts = this.facts(req, res, consumeFlash(req));
    await sendAround(res, head, documentOf(head, frame(PLACE), facts), PLACE, escaped(text));
  }

  private facts(req: Request, res: Response, notice: Notice | undefined): PageContext {
    const visitor = res.locals['visitor'] as Visitor | undefined;
    // Where the database is away, there is no session.
    const formToken = hasSession(req) ? this.tokens.of(req, res) : '';
    const formOwner = visitor ? this.keptForms.ownerMark(visitor.user.id) : '';
    const place = req.method === 'GET' ? req.originalUrl : placeOf(req.body);
    return {
      visitor,
      formToken,
      formOwner,
      place,
      notice,
      sandbox: this.sandbox !== undefined,
      now: this.clock.now(),
      today: this.lifecycleClock.now(),
    };
  }
}

function hasSession({ session }: { session?: Request['session'] }): boolean {
  return session !== undefined;
}

function render(content: VNode, facts: PageContext): string {
  return renderToString(<PageFacts.Provider value={facts}>{content}</PageFacts.Provider>);
}

function documentOf({ title, section, warning }: PageHead, content: ComponentChildren, facts: PageContext): string {
  const page = (
    <Document title={title} section={section} warning={warning}>
      {content}
    </Document>
  );
  return `<!doctype html>${render(page, facts)}`;
}

function setHead(res: Response, { issues: { status, retryAfterSeconds } = NO_ISSUES }: PageHead): void {
  if (retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(retryAfterSeconds));
  res.status(status).type('html');
}

/** Sends `page` with `pieces` in `place`, each piece at once, and no faster than the client reads. */
async function sendAround(
  res: Response,
  head: PageHead,
  page: string,
  place: string,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const at = page.indexOf(place);
  setHead(res, head);
  const parts = async function* () {
    yield page.slice(0, at);
    res.flush();
    for await (const piece of pieces) {
      yield piece;
      res.flush();
    }
    yield page.slice(at + place.length);
  };
  await pipeline(parts(), res);
}

/** As the content of an element; each piece in a turn of the event loop. */
async function* escaped(text: Iterable<string>): AsyncGenerator<string> {
  // HTML drops the first line feed of a textarea.
  yield '\n';
  for (const piece of text) {
    yield piece.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    await yieldToEventLoop();
  }
}
