// The baseline for an EPP client: sends prepared frames over TLS, and reads only length and result code of the responses.
import { once } from 'node:events';
import { connect } from 'node:tls';

const HEADER_BYTES = 4;

export class RawEpp {
  #socket;
  #received = Buffer.alloc(0);
  #resolve;

  /** Connects and waits for the greeting. */
  static async connect({ host, port, ca }) {
    const client = new RawEpp();
    client.#socket = connect({ host, port, ca });
    client.#socket.setNoDelay(true);
    client.#socket.on('data', (chunk) => client.#receive(chunk));
    const greeting = client.#nextResponse();
    await once(client.#socket, 'secureConnect');
    await greeting;
    return client;
  }

  /** Sends a frame and waits for the complete response. */
  async exchange(frame) {
    const response = this.#nextResponse();
    this.#socket.write(frame);
    const document = await response;
    if (!document.includes('<result code="1')) throw new Error(`the registry rejected a command: ${document}`);
  }

  close() {
    this.#socket.destroy();
  }

  #nextResponse() {
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  #receive(chunk) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    if (this.#received.length < HEADER_BYTES || this.#received.length < this.#received.readUInt32BE(0)) return;
    const document = this.#received.subarray(HEADER_BYTES);
    this.#received = Buffer.alloc(0);
    this.#resolve(document);
  }
}
