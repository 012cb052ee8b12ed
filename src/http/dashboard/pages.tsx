import { inject, injectable, optional } from 'inversify';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Request, Response } from 'express';
import { Clock, LifecycleClock } from '../../application/ports/system/clock';
import { RegistrySandbox } from '../../application/ports/registry/registry-sandbox';
import { NO_FAULTS, type FormFaults } from './form-faults';
import { Document, type Section } from './layout/document';
import { PageFacts, type PageContext } from './layout/page-context';
import { FormTokens } from './middleware/form-tokens';
import { takeNotice, type Notice } from './notice';
import type { Visitor } from './visitor';

export interface PageHead {
  readonly title: string;
  readonly section?: Section;
  /** What was wrong, where the page is not what was asked for. */
  readonly faults?: Pick<FormFaults, 'status' | 'retryAfterSeconds'> | undefined;
}

const ITEMS_HERE = '<!-- items -->';

/** Answers pages: nothing of them is kept by browsers or proxies. */
@injectable()
export class Pages {
  constructor(
    @inject(FormTokens) private readonly tokens: FormTokens,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
    @inject(RegistrySandbox) @optional() private readonly sandbox?: RegistrySandbox,
  ) {}

  send(req: Request, res: Response, { title, section, faults: { status, retryAfterSeconds } = NO_FAULTS }: PageHead, content: ComponentChildren): void {
    const page = (
      <Document title={title} section={section}>
        {content}
      </Document>
    );
    if (retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(retryAfterSeconds));
    res.status(status).type('html').send(`<!doctype html>${render(page, this.facts(req, res, takeNotice(req)))}`);
  }

  /** A page with a list whose items come in one by one: each is sent as soon as it is there, with scripts and without. */
  async sendList(req: Request, res: Response, head: PageHead, frame: (items: VNode) => VNode, items: AsyncIterable<VNode>): Promise<void> {
    const page = (
      <Document title={head.title} section={head.section}>
        {frame(<span dangerouslySetInnerHTML={{ __html: ITEMS_HERE }} />)}
      </Document>
    );
    const facts = this.facts(req, res, takeNotice(req));
    const [before = '', after = ''] = render(page, facts).split(`<span>${ITEMS_HERE}</span>`);
    res.type('html').write(`<!doctype html>${before}`);
    res.flush();
    for await (const item of items) {
      res.write(render(item, facts));
      res.flush();
    }
    res.end(after);
  }

  private facts(req: Request, res: Response, notice: Notice | undefined): PageContext {
    const visitor = res.locals['visitor'] as Visitor | undefined;
    // Where the database is away, there is no session.
    const formToken = hasSession(req) ? this.tokens.of(req, res) : '';
    return { visitor, formToken, notice, sandbox: this.sandbox !== undefined, now: this.clock.now(), today: this.lifecycleClock.now() };
  }
}

function hasSession({ session }: { session?: Request['session'] }): boolean {
  return session !== undefined;
}

function render(content: VNode, facts: PageContext): string {
  return renderToString(<PageFacts.Provider value={facts}>{content}</PageFacts.Provider>);
}
