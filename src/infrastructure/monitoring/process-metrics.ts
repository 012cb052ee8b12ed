import { Counter, Histogram, type Registry } from 'prom-client';
import type { Activity, ObservedEvent, Observer } from '../../application/shared/observation';
import {
  RegistryInconclusive,
  RegistryNotContacted,
  RegistryRejected,
} from '../../application/ports/registry/registry-errors';
import { StorageFailing, StorageUnavailable } from '../../application/ports/storage/storage-unavailable';
import { MAIL_KINDS } from '../../domain/access/notices/notice';
import { ServiceError } from '../../domain/shared/service-error';
import { FastCounter, FastHistogram } from './fast-metrics';

/** In seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const REGISTRY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const PUBLICATION_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** A client may send any method. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']);

/** Requests are counted by their event, use cases not at all. */
type MeasuredActivity = Exclude<Activity, { readonly kind: 'request' | 'use case' }>;

/** Counts what happens in this process, from its start on. */
export class ProcessMetrics implements Observer {
  private readonly requests;
  private readonly requestSeconds;
  private readonly databaseSeconds;
  private readonly databaseErrors;
  private readonly registryCalls;
  private readonly registrySeconds;
  private readonly operationRuns;
  private readonly operationSeconds;
  private readonly webhooks;
  private readonly notifies;
  private readonly mails;
  private readonly transfers;
  private readonly updates;
  private readonly publicationSeconds;

  /** `registries`: their names. What alerts count begins at 0, or its first increase would not be seen. */
  constructor(registry: Registry, registries: readonly string[] = []) {
    const registers = [registry];
    const counter = (name: string, help: string, labelNames: string[]) =>
      new Counter({ name: `namewright_${name}`, help, labelNames, registers });
    const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
      new Histogram({ name: `namewright_${name}`, help, labelNames, buckets, registers });
    this.requests = new FastCounter({
      name: 'namewright_http_requests_total',
      help: 'HTTP requests by route template',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.requestSeconds = new FastHistogram(
      {
        name: 'namewright_http_request_duration_seconds',
        help: 'Time from a request to the end of its response',
        labelNames: ['method', 'route'],
        registers,
      },
      BUCKETS,
    );
    this.databaseSeconds = new FastHistogram(
      {
        name: 'namewright_database_duration_seconds',
        help: 'Time of queries, snapshots and transactions, with the wait for a connection',
        labelNames: ['kind'],
        registers,
      },
      BUCKETS,
    );
    this.databaseErrors = counter('database_errors_total', 'Failed database calls', ['reason']);
    this.registryCalls = counter('registry_calls_total', 'Calls to registries', ['registry', 'kind', 'outcome']);
    this.registrySeconds = histogram(
      'registry_call_duration_seconds',
      'Time of calls to registries, without the wait for a turn',
      ['registry', 'kind'],
      REGISTRY_BUCKETS,
    );
    this.operationRuns = counter('operation_runs_total', 'Attempts to run an operation', ['kind', 'outcome']);
    this.operationSeconds = histogram(
      'operation_run_duration_seconds',
      'Time of an attempt to run an operation',
      ['kind'],
      REGISTRY_BUCKETS,
    );
    this.notifies = counter('notify_sent_total', 'NOTIFY messages sent', ['secondary']);
    this.mails = counter(
      'mails_total',
      'Attempts to send a mail: sent, waiting (to be tried again), refused, failed, unknown',
      ['notice', 'outcome'],
    );
    this.webhooks = counter('webhook_attempts_total', 'Attempts to send an event to a webhook', ['outcome']);
    this.transfers = counter('zone_transfers_total', 'Zone transfers over TCP', ['kind', 'outcome']);
    this.updates = counter('dynamic_updates_total', 'Dynamic updates (RFC 2136) by response code', ['rcode']);
    this.publicationSeconds = histogram(
      'publication_duration_seconds',
      'Time from a change of a zone until a secondary serves it',
      ['secondary'],
      PUBLICATION_BUCKETS,
    );
    for (const kind of ['query', 'command'])
      for (const name of registries) this.registryCalls.inc({ registry: name, kind, outcome: 'not sent' }, 0);
    for (const rcode of ['REFUSED', 'SERVFAIL']) this.updates.inc({ rcode }, 0);
    for (const notice of MAIL_KINDS)
      for (const outcome of ['refused', 'failed', 'unknown']) this.mails.inc({ notice, outcome }, 0);
    for (const outcome of ['2xx', 'no response']) this.webhooks.inc({ outcome }, 0);
    for (const kind of ['AXFR', 'IXFR']) this.transfers.inc({ kind, outcome: 'failed' }, 0);
  }

  around<T>(activity: Activity, work: () => Promise<T>): Promise<T> {
    return activity.kind === 'request' || activity.kind === 'use case' ? work() : this.measure(activity, work);
  }

  /** Returns the promise of `work` itself: a further one for each statement would cost more than the measurement. */
  private measure<T>(activity: MeasuredActivity, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const secondsUntilNow = () => (performance.now() - startedAt) / 1_000;
    const running = work();
    running.then(
      (result) => this.count(activity, secondsUntilNow(), { result }),
      (error: unknown) => this.count(activity, secondsUntilNow(), { error }),
    );
    return running;
  }

  event(event: ObservedEvent): void {
    switch (event.kind) {
      case 'request': {
        const { route, status, seconds } = event;
        const method = METHODS.has(event.method) ? event.method : 'other';
        this.requests.count(method, route, String(status));
        this.requestSeconds.record(seconds, method, route);
        break;
      }
      case 'registry call not sent':
        this.registryCalls.inc({ registry: event.registry, kind: event.name, outcome: 'not sent' });
        break;
      case 'mail':
        this.mails.inc({ notice: event.notice, outcome: event.outcome });
        break;
      case 'webhook sent':
        this.webhooks.inc({ outcome: event.outcome });
        break;
      case 'NOTIFY sent':
        this.notifies.inc({ secondary: event.secondary });
        break;
      case 'dynamic update':
        this.updates.inc({ rcode: event.rcode });
        break;
      case 'published':
        this.publicationSeconds.observe({ secondary: event.secondary }, event.seconds);
    }
  }

  private count(
    activity: MeasuredActivity,
    seconds: number,
    end: { readonly result: unknown } | { readonly error: unknown },
  ): void {
    const { kind, name } = activity;
    switch (kind) {
      case 'database': {
        this.databaseSeconds.record(seconds, name);
        const reason = 'error' in end ? reasonOf(end.error) : undefined;
        if (reason) this.databaseErrors.inc({ reason });
        break;
      }
      case 'registry call': {
        const { registry } = activity;
        this.registryCalls.inc({ registry, kind: name, outcome: 'error' in end ? outcomeOf(end.error) : 'completed' });
        this.registrySeconds.observe({ registry, kind: name }, seconds);
        break;
      }
      case 'operation':
        this.operationRuns.inc({ kind: name, outcome: 'error' in end ? 'not stored' : String(end.result) });
        this.operationSeconds.observe({ kind: name }, seconds);
        break;
      case 'zone transfer':
        this.transfers.inc({ kind: name, outcome: 'error' in end ? 'failed' : 'sent' });
    }
  }
}

/** Undefined for an error of the work in a transaction. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof StorageFailing) return 'cannot write';
  if (error instanceof StorageUnavailable) return 'unavailable';
  return error instanceof ServiceError ? undefined : 'other';
}

function outcomeOf(error: unknown): string {
  if (error instanceof RegistryRejected) return 'rejected';
  if (error instanceof RegistryInconclusive) return 'inconclusive';
  return error instanceof RegistryNotContacted ? 'not sent' : 'unavailable';
}
