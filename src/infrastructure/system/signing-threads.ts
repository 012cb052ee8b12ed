import type { KeyObject } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { injectable } from 'inversify';
import type { BackgroundSigner } from '../../application/ports/dns/signing/background-signer';

/** Sent to a thread; it responds to each, in order, with the signatures one after the other. */
export interface SigningRequest {
  readonly key: KeyObject;
  /** What is to be signed, one after the other. */
  readonly data: Uint8Array;
  readonly lengths: Uint32Array;
}

const THREAD_FILE = join(__dirname, 'signing-thread.js');
const MAX_THREADS = 4;
const SIGNATURE = 64;
/** Idle threads end after this. */
const IDLE_MS = 10_000;

/** Signs in worker threads, which cost the event loop less than the callbacks of `crypto.sign`. They start when they are needed. */
@injectable()
export class SigningThreads implements BackgroundSigner {
  private readonly threads: SigningThread[] = [];

  async sign(key: KeyObject, data: readonly Buffer[]): Promise<readonly Buffer[]> {
    const octets = Buffer.allocUnsafeSlow(data.reduce((sum, { length }) => sum + length, 0));
    const lengths = new Uint32Array(data.length);
    let at = 0;
    for (const [index, each] of data.entries()) {
      lengths[index] = each.length;
      at += each.copy(octets, at);
    }
    const signatures = await this.leastBusy().send({ key, data: octets, lengths });
    return data.map((_each, index) => signatures.subarray(index * SIGNATURE, (index + 1) * SIGNATURE));
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
