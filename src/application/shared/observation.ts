import type { OperationKind } from '../../domain/registration/operations/operation-request';

/** Work that takes time. Its values are few, never a domain, an id or anything that a client has sent. */
export type Activity =
  /** `traceParent` as in W3C Trace Context: the span that caused this one, in another process or at another time. */
  | { readonly kind: 'request'; readonly name: string; readonly traceParent: string | undefined }
  | { readonly kind: 'use case'; readonly name: string }
  /** `sql` has placeholders for all values. */
  | { readonly kind: 'database'; readonly name: 'query' | 'snapshot' | 'transaction'; readonly sql?: string }
  | { readonly kind: 'registry call'; readonly name: 'query' | 'command'; readonly registry: string }
  | { readonly kind: 'operation'; readonly name: OperationKind; readonly traceParent?: string | undefined }
  | { readonly kind: 'zone transfer'; readonly name: 'AXFR' | 'IXFR' };

/** Something that happened. */
export type ObservedEvent =
  | {
      readonly kind: 'request';
      readonly method: string;
      /** The route's template. */
      readonly route: string;
      readonly status: number;
      readonly seconds: number;
    }
  /** A call that never reached the registry: its queue was full, or the circuit breaker open. */
  | { readonly kind: 'registry call not sent'; readonly registry: string; readonly name: 'query' | 'command' }
  /** An attempt to send a mail ended, with the status that the mail has now. */
  | { readonly kind: 'mail'; readonly notice: string; readonly outcome: string }
  /** An attempt to send an event to a webhook ended: `2xx` to `5xx`, or `no response`. */
  | { readonly kind: 'webhook sent'; readonly outcome: string }
  | { readonly kind: 'NOTIFY sent'; readonly secondary: string }
  /** A dynamic update (RFC 2136) was answered. */
  | { readonly kind: 'dynamic update'; readonly rcode: string }
  /** A secondary serves a change, this long after it was made. */
  | {
      readonly kind: 'published';
      readonly secondary: string;
      readonly seconds: number;
      readonly traceParent?: string | undefined;
    };

/** Metrics and traces. Must not throw, and must not change the result of `work`. */
export interface Observer {
  around<T>(activity: Activity, work: () => Promise<T>): Promise<T>;
  event(event: ObservedEvent): void;
  /** The span that runs now. */
  traceParent?(): string | undefined;
}

let observers: readonly Observer[] = [];

/** Observes this process from now on. Returns how to end that. */
export function addObserver(observer: Observer): () => void {
  observers = [...observers, observer];
  return () => {
    observers = observers.filter((each) => each !== observer);
  };
}

/** Runs `work` in view of the observers. Without any, it only runs it. */
export function observe<T>(activity: Activity, work: () => Promise<T>): Promise<T> {
  return observeBy(observers, observers.length, activity, work);
}

/** By the first `amount` of `all`. The innermost one gets `work` itself: a request has many activities. */
function observeBy<T>(
  all: readonly Observer[],
  amount: number,
  activity: Activity,
  work: () => Promise<T>,
): Promise<T> {
  const observer = all[amount - 1];
  if (!observer) return work();
  return observer.around(activity, amount === 1 ? work : () => observeBy(all, amount - 1, activity, work));
}

/** The span that runs now, in the notation of W3C Trace Context. Undefined without traces. */
export function currentTraceParent(): string | undefined {
  for (const observer of observers) {
    const traceParent = observer.traceParent?.();
    if (traceParent !== undefined) return traceParent;
  }
  return undefined;
}

/** Tells the observers. `describe` is called only if there are any. */
export function emit(describe: () => ObservedEvent): void {
  if (observers.length === 0) return;
  const event = describe();
  for (const observer of observers) observer.event(event);
}
