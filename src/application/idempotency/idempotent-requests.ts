import { randomUUID } from 'node:crypto';
import { inject, injectable } from '../ports/inject';
import { IdempotencyKeyInUse, IdempotencyKeyReused } from '../../domain/access/access-errors';
import { IdempotencyRecord } from '../../domain/access/idempotency-record';
import { ValidationError } from '../../domain/shared/validation-error';
import { DailyQuotas } from '../quotas/daily-quotas';
import { jsonTask } from '../shared/json-task';
import { OperationSettings } from '../shared/operation-settings';
import { Clock, IdGenerator, Log, SecretBox } from '../ports/system';
import { Outage } from '../shared/outage';
import { UnitOfWork, type Stores } from '../ports/storage/unit-of-work';
import { runCooperatively } from '../shared/run-cooperatively';

interface RequestIdentity {
  readonly accountId: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** A run of a request: the first, or a later one after a run that stored no response. */
export interface RequestRun extends RequestIdentity {
  /** For the operation that the request may begin. */
  readonly operationId: string;
  readonly holder: string;
  /** An earlier run may have changed something. */
  readonly repeated: boolean;
}

/** MySQL may refuse larger packets. A change with a longer response is refused; a longer response without a change is not stored. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** The row of a stored response without the response, with its share of indexes. */
const RECORD_BYTES = 350;

export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Stores requests with an Idempotency-Key before they take effect, and their responses: docs/decisions/0005. */
@injectable()
export class IdempotentRequests {
  /** The holders of the runs in this process. */
  private readonly running = new Set<string>();
  private extending: NodeJS.Timeout | undefined;
  private readonly outage: Outage;

  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'idempotencyRecords' | 'operations'>,
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
    @inject(OperationSettings) private readonly settings: OperationSettings,
    @inject(DailyQuotas) private readonly quotas: DailyQuotas,
  ) {
    this.outage = new Outage(log, 'renewing idempotency leases');
  }

  /**
   * Returns the stored response of the request, or a new run, which ends with `complete`, `release` or `end`.
   * @throws IdempotencyKeyReused, IdempotencyKeyInUse, DailyQuotaReached for a new key
   */
  async begin({ accountId, key, fingerprint }: RequestIdentity): Promise<StoredResponse | RequestRun> {
    const holder = randomUUID();
    const fresh = { accountId, key, fingerprint, operationId: this.ids.next('op') };
    const quota = await this.quotas.reached(accountId, 'stored responses');
    const now = this.clock.now();
    const request = IdempotencyRecord.begin(fresh, now);
    request.hold(holder, this.heldUntil(now));
    const add = async ({ idempotencyRecords }: Pick<Stores, 'idempotencyRecords'>) => {
      if (!(await idempotencyRecords.add(request))) return undefined;
      if (quota) throw quota;
      return { request, repeated: false };
    };
    // In a separate transaction: MySQL lets all that find the key share a lock on its row, so that they would deadlock on it.
    const takeUp = async (stores: Pick<Stores, 'idempotencyRecords'>) => {
      const known = await stores.idempotencyRecords.lock(accountId, key);
      if (known && !known.isOver(now)) {
        if (!known.isSame(fingerprint)) throw new IdempotencyKeyReused();
        if (known.isHeld(now)) throw new IdempotencyKeyInUse();
        if (known.response !== null) return known.response;
        known.hold(holder, this.heldUntil(now));
      }
      if (!known) return (await add(stores)) ?? Promise.reject(new IdempotencyKeyInUse());
      const next = known.isOver(now) ? request : known;
      if (quota && next === request) throw quota;
      await stores.idempotencyRecords.save(next);
      return { request: next, repeated: next === known };
    };
    const begun = (await this.unitOfWork.run(add, accountId)) ?? (await this.unitOfWork.run(takeUp, accountId));
    if (typeof begun === 'string')
      return JSON.parse(this.secrets.open(begun, purposeOfStoredResponse(fresh))) as StoredResponse;
    this.running.add(holder);
    this.extendLater();
    return { accountId, key, fingerprint, operationId: begun.request.operationId, holder, repeated: begun.repeated };
  }

  /**
   * Stores the response in the unit of work of the change that it describes, so that a repetition finds both or neither. If it
   * is final, repetitions get it as soon as the change is committed, and the run ends with `end`; otherwise with `complete`.
   * Returns the bytes that the stored response takes.
   * @throws IdempotencyKeyInUse if another run has taken over, ValidationError if the response is too long to be stored: then
   *   the change must be rolled back
   */
  async storeWithChange(
    { idempotencyRecords }: Pick<Stores, 'idempotencyRecords'>,
    run: RequestRun,
    response: StoredResponse,
    { isFinal = true } = {},
  ): Promise<number> {
    const sealed = await this.seal(run, response);
    if (sealed === undefined)
      throw ValidationError.of(
        'Idempotency-Key',
        `cannot be used here: the response would be longer than ${MAX_RESPONSE_BYTES} bytes and could not be stored. Send the request in parts, or without the key`,
      );
    if (!(await idempotencyRecords.respond(run, sealed, { isFinal }))) throw new IdempotencyKeyInUse();
    return RECORD_BYTES + sealed.length;
  }

  /** Ends a run whose final response, of so many stored bytes, was committed with its change. */
  end({ accountId, holder }: RequestRun, storedBytes: number): void {
    this.running.delete(holder);
    this.quotas.count(accountId, 'stored responses', storedBytes);
  }

  /**
   * Stores the response, and erases the auth code that the operation handed over, because the response contains it. If this
   * fails, the response must not be sent: a repetition would get another one.
   * @throws IdempotencyKeyInUse if another run has taken over, StorageUnavailable
   */
  async complete(run: RequestRun, response: StoredResponse): Promise<void> {
    const sealed = await this.seal(run, response);
    await this.endHeld(run, (request) => {
      // After the lease has expired, a repetition may have got the response that was stored with the change.
      if (!request || (request.response !== null && !request.isHeld(this.clock.now()))) throw new IdempotencyKeyInUse();
      if (sealed === undefined) request.release();
      else request.complete(sealed);
    });
    if (sealed !== undefined) this.quotas.count(run.accountId, 'stored responses', RECORD_BYTES + sealed.length);
  }

  async release(run: RequestRun): Promise<void> {
    await this.endHeld(run, (request) => request?.release());
  }

  private async seal(run: RequestRun, response: StoredResponse): Promise<string | undefined> {
    const text = await runCooperatively(jsonTask(response), run.accountId);
    const bytes = Buffer.byteLength(text);
    if (bytes <= MAX_RESPONSE_BYTES) return this.secrets.seal(text, purposeOfStoredResponse(run));
    this.log.warn({ accountId: run.accountId, bytes }, 'a response is too long to be stored for its Idempotency-Key');
    return undefined;
  }

  /** `decide` gets undefined if another run has taken over. */
  private async endHeld(
    { accountId, key, holder, operationId }: RequestRun,
    decide: (request: IdempotencyRecord | undefined) => void,
  ): Promise<void> {
    this.running.delete(holder);
    await this.unitOfWork.run(async ({ idempotencyRecords, operations }) => {
      const found = await idempotencyRecords.lock(accountId, key);
      const request = found?.isHeldBy(holder) ? found : undefined;
      decide(request);
      if (!request) return;
      await idempotencyRecords.save(request);
      if (request.response !== null) await operations.eraseHandover(operationId);
    }, accountId);
  }

  private extendLater(): void {
    this.extending ??= setTimeout(() => void this.extend(), this.settings.leaseMs / 3).unref();
  }

  private async extend(): Promise<void> {
    try {
      const until = this.heldUntil(this.clock.now());
      if (this.running.size > 0)
        await this.unitOfWork.run(({ idempotencyRecords }) => idempotencyRecords.extend([...this.running], until));
      this.outage.recordSuccess();
    } catch (error) {
      this.outage.recordFailure(error);
    } finally {
      this.extending = undefined;
      if (this.running.size > 0) this.extendLater();
      else this.outage.end();
    }
  }

  private heldUntil(now: Date): Date {
    return new Date(now.getTime() + this.settings.leaseMs);
  }
}

export function purposeOfStoredResponse({ accountId, key }: Pick<RequestIdentity, 'accountId' | 'key'>): string {
  return `request:${accountId}:${key}`;
}
