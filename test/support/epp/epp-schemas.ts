import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Holds documents against the schemas in test/fixtures/epp/xsd. Close it, or Jest waits for its thread. */
export class EppSchemas {
  private readonly worker = new Worker(resolve(__dirname, 'epp-schema-worker.mjs'));
  private readonly waiting = new Map<number, (faults: readonly string[]) => void>();
  private last = 0;

  constructor() {
    this.worker.on('message', ({ id, faults }: { id: number; faults: readonly string[] }) => {
      this.waiting.get(id)?.(faults);
      this.waiting.delete(id);
    });
  }

  /** What is wrong with the document; nothing where it is valid. */
  async faultsOf(document: string | Uint8Array): Promise<readonly string[]> {
    this.last += 1;
    const id = this.last;
    return new Promise((settle) => {
      this.waiting.set(id, settle);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
      this.worker.postMessage({ id, bytes: new Uint8Array(Buffer.from(document)) });
    });
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}
