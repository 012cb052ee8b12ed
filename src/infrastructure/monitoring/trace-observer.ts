import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { Activity, ObservedEvent, Observer } from '../../application/shared/observation';

const KINDS: Partial<Record<Activity['kind'], SpanKind>> = {
  request: SpanKind.SERVER,
  database: SpanKind.CLIENT,
  'registry call': SpanKind.CLIENT,
  operation: SpanKind.CONSUMER,
};

/** Spans of what happens. Statements and registry calls outside of any span get none: background work polls all the time. */
export class TraceObserver implements Observer {
  private readonly active = new AsyncLocalStorage<Context>();

  constructor(private readonly tracer: Tracer) {}

  around<T>(activity: Activity, work: () => Promise<T>): Promise<T> {
    const parent = this.parentOf(activity);
    if (!parent) return work();
    const span = this.tracer.startSpan(nameOf(activity), startOf(activity), parent);
    return this.active.run(trace.setSpan(parent, span), () => runIn(span, activity, work));
  }

  event(event: ObservedEvent): void {
    if (event.kind !== 'published') return;
    const { secondary, seconds, traceParent } = event;
    const now = Date.now();
    const options = { startTime: now - seconds * 1_000, kind: SpanKind.PRODUCER, attributes: { secondary } };
    this.tracer.startSpan('publication', options, contextOf(traceParent)).end(now);
  }

  traceParent(): string | undefined {
    const span = trace.getSpanContext(this.active.getStore() ?? ROOT_CONTEXT);
    return span && `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
  }

  /** Undefined if the activity gets no span. */
  private parentOf(activity: Activity): Context | undefined {
    if (activity.kind === 'request' || activity.kind === 'operation') return contextOf(activity.traceParent);
    return this.active.getStore() ?? (activity.kind === 'zone transfer' ? ROOT_CONTEXT : undefined);
  }
}

/** A header that cannot be read starts a new trace, as W3C Trace Context demands. */
function contextOf(traceParent: string | undefined): Context {
  const parent = traceParent === undefined ? null : parseTraceParent(traceParent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

function nameOf({ kind, name }: Activity): string {
  return kind === 'request' ? name : `${kind} ${name}`;
}

function startOf(activity: Activity): { readonly kind: SpanKind; readonly attributes: Attributes } {
  return { kind: KINDS[activity.kind] ?? SpanKind.INTERNAL, attributes: attributesOf(activity) };
}

function attributesOf(activity: Activity): Attributes {
  if (activity.kind === 'request') return { 'http.request.method': activity.name };
  if (activity.kind === 'registry call') return { registry: activity.registry };
  return activity.kind === 'database' && activity.sql !== undefined ? { 'db.query.text': activity.sql } : {};
}

async function runIn<T>(span: Span, { kind }: Activity, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    if (kind === 'request') showResponse(span, result as { readonly route: string; readonly status: number });
    if (kind === 'operation') span.setAttribute('outcome', String(result));
    return result;
  } catch (error) {
    // Messages may quote what a client has sent.
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    throw error;
  } finally {
    span.end();
  }
}

function showResponse(span: Span, { route, status }: { readonly route: string; readonly status: number }): void {
  span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}
