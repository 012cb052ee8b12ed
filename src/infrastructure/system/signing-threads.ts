import type { KeyObject } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { injectable } from '../../application/ports/inject';
import { batched } from '../../application/shared/batched';
import type { BackgroundSigner } from '../../application/ports/dns/signing-repository';

/** Sent to a thread; it responds to each, in order, with the signatures one after the other. */
export interface SigningRequest {
  /** Each with how many of `lengths` are signed with it. */
  readonly keys: readonly (readonly [key: KeyObject, count: number])[];
  /** What is to be signed, one after the other. */
  readonly data: Uint8Array;
  readonly lengths: Uint32Array;
}

const THREAD_FILE = join(__dirname, 'signing-thread.js');
const MAX_THREADS = 4;
const SIGNATURE = 64;
/** Signatures that one message asks for, unless it is asked for more at once. */
const PER_MESSAGE = 200;
/** Idle threads end after this. */
const IDLE_MS = 10_000;

/** Signs in worker threads, which cost the event loop less than the callbacks of `crypto.sign`. They start when they are needed. */
@injectable()
export class SigningThreads implements BackgroundSigner {
  private readonly threads: SigningThread[] = [];
  /** A message costs as much as several signatures, so what zones ask in one turn of the event loop shares messages. */
  private readonly signBatched = batched(async (asked: readonly Asked[]) =>
    (await Promise.all([...messagesOf(asked)].map((some) => this.send(some)))).flat(),
  );

  async sign(key: KeyObject, data: readonly Buffer[]): Promise<readonly Buffer[]> {
    return this.signBatched({ key, data });
  }

  private async send(asked: readonly Asked[]): Promise<readonly (readonly Buffer[])[]> {
    const data = asked.flatMap((each) => each.data);
    const octets = Buffer.allocUnsafeSlow(data.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const each of data) at += each.copy(octets, at);
    const lengths = Uint32Array.from(data, ({ length }) => length);
    const keys = asked.map((each) => [each.key, each.data.length] as const);
    const signatures = await this.leastBusy().send({ keys, data: octets, lengths });
    let index = 0;
    return asked.map((each) => each.data.map(() => signatures.subarray(index * SIGNATURE, (index += 1) * SIGNATURE)));
  }

  private leastBusy(): SigningThread {
    const [least] = this.threads.toSorted((one, other) => one.waiting - other.waiting);
    if (least && (least.waiting === 0 || this.threads.length >= Math.min(availableParallelism(), MAX_THREADS)))
      return least;
    const thread = new SigningThread(() => this.threads.splice(this.threads.indexOf(thread), 1));
    this.threads.push(thread);
    return thread;
  }
}

interface Asked {
  readonly key: KeyObject;
  readonly data: readonly Buffer[];
}

function* messagesOf(asked: readonly Asked[]): Generator<readonly Asked[]> {
  let some: Asked[] = [];
  let count = 0;
  for (const each of asked) {
    if (count > 0 && count + each.data.length > PER_MESSAGE) {
      yield some;
      [some, count] = [[], 0];
    }
    some.push(each);
    count += each.data.length;
  }
  yield some;
}

interface Pending {
  readonly resolve: (signatures: Buffer) => void;
  readonly reject: (error: Error) => void;
}

class SigningThread {
  private readonly worker = new Worker(THREAD_FILE, { name: 'dnssec-signer' });
  private readonly pending: Pending[] = [];
  private readonly idle: NodeJS.Timeout;
  private cause: unknown;

  constructor(onEnd: () => void) {
    this.idle = setTimeout(() => void this.worker.terminate(), IDLE_MS).unref();
    this.worker.on('message', (signatures: Uint8Array) => {
      this.pending.shift()?.resolve(Buffer.from(signatures.buffer));
      if (this.pending.length === 0) this.worker.unref();
    });
    this.worker.on('error', (error) => {
      this.cause = error;
    });
    this.worker.once('exit', () => {
      clearTimeout(this.idle);
      onEnd();
      for (const { reject } of this.pending.splice(0))
        reject(new Error('the thread that signs has ended', { cause: this.cause }));
    });
  }

  get waiting(): number {
    return this.pending.length;
  }

  send(request: SigningRequest): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.idle.refresh();
      // Only a pending response keeps the process alive.
      this.worker.ref();
      this.pending.push({ resolve, reject });
      this.worker.postMessage(request, [request.data.buffer as ArrayBuffer, request.lengths.buffer as ArrayBuffer]);
    });
  }
}
