import { inject, injectable } from 'inversify';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Request, Response } from 'express';
import { Clock, LifecycleClock } from '../../application/ports/clock';
import { Document, type Section } from './layout/document';
import { PageFacts } from './layout/page-context';
import { FormTokens } from './middleware/form-tokens';
import { takeNotice } from './notice';
import type { Visitor } from './visitor';

export interface PageHead {
  readonly title: string;
  readonly section?: Section;
  readonly status?: number;
}

/** Answers pages: nothing of them is kept by browsers or proxies. */
@injectable()
export class Pages {
  constructor(
    @inject(FormTokens) private readonly tokens: FormTokens,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
  ) {}

  send(req: Request, res: Response, { title, section, status = 200 }: PageHead, content: ComponentChildren): void {
    const page = (
      <Document title={title} section={section}>
        {content}
      </Document>
    );
    res.status(status).type('html').send(`<!doctype html>${this.render(req, res, page, true)}`);
  }

  /** A part of a page, for htmx to put in its place. */
  sendPart(req: Request, res: Response, content: VNode): void {
    res.type('html').send(this.render(req, res, content, false));
  }

  private render(req: Request, res: Response, content: VNode, whole: boolean): string {
    const visitor = res.locals['visitor'] as Visitor | undefined;
    const facts = { visitor, formToken: this.tokens.of(req, res), notice: whole ? takeNotice(req) : undefined, now: this.clock.now(), today: this.lifecycleClock.now() };
    return renderToString(<PageFacts.Provider value={facts}>{content}</PageFacts.Provider>);
  }
}

/** Whether htmx asks for a part of a page only. */
export function wantsPart(req: Request): boolean {
  return req.get('HX-Request') === 'true';
}
