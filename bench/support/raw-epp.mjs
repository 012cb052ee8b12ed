// The floor under an EPP client: frames ready to be sent over TLS, and answers that nobody reads but for their length and
// their result.
import { once } from 'node:events';
import { connect } from 'node:tls';

const HEADER_BYTES = 4;

export class RawEpp {
  #socket;
  #received = Buffer.alloc(0);
  #resolve;

  /** Connected and greeted. */
  static async connect({ host, port, ca }) {
    const client = new RawEpp();
    client.#socket = connect({ host, port, ca });
    client.#socket.setNoDelay(true);
    client.#socket.on('data', (chunk) => client.#take(chunk));
    const greeting = client.#answer();
    await once(client.#socket, 'secureConnect');
    await greeting;
    return client;
  }

  /** Answers when the whole answer is there. */
  async exchange(frame) {
    const answer = this.#answer();
    this.#socket.write(frame);
    const document = await answer;
    if (!document.includes('<result code="1')) throw new Error(`the registry refused: ${document}`);
  }

  close() {
    this.#socket.destroy();
  }

  #answer() {
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  #take(chunk) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    if (this.#received.length < HEADER_BYTES || this.#received.length < this.#received.readUInt32BE(0)) return;
    const document = this.#received.subarray(HEADER_BYTES);
    this.#received = Buffer.alloc(0);
    this.#resolve(document);
  }
}
