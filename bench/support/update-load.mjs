// Signed UPDATE messages (RFC 2136) over TCP, one in flight for each connection.
import { once } from 'node:events';
import { connect } from 'node:net';
import { TsigSigner } from '#dist/infrastructure/nameserver/wire/tsig.js';

const UPDATE = 5 << 11;
const [IN, SOA, A] = [1, 6, 1];
let added = 0;

/** A key from `hmac-sha256:NAME:SECRET`. */
export function parseKey(text) {
  const [algorithm, name, secret] = text.split(':');
  return { algorithm, name, secret: Buffer.from(secret, 'base64') };
}

export class UpdateClient {
  #socket;
  #key;
  #received = Buffer.alloc(0);
  #resolve;
  #id = 0;

  static async open(port, key) {
    const client = new UpdateClient();
    client.#key = key;
    client.#socket = connect(port, '127.0.0.1').setNoDelay(true);
    client.#socket.on('data', (chunk) => client.#read(chunk));
    await once(client.#socket, 'connect');
    return client;
  }

  /** Adds one new A record. Returns the milliseconds until the response. @throws Error unless it is NOERROR */
  async add(zone) {
    this.#id = (this.#id + 1) % 65_536;
    const began = performance.now();
    const response = new Promise((resolve) => (this.#resolve = resolve));
    const request = new TsigSigner(this.#key, undefined).sign(addition(this.#id, zone), Math.floor(Date.now() / 1_000));
    this.#socket.write(Buffer.concat([uint16(request.length), request]));
    const rcode = (await response).readUInt8(3) & 15;
    if (rcode !== 0) throw new Error(`the update got the response code ${rcode}`);
    return performance.now() - began;
  }

  close() {
    this.#socket.destroy();
  }

  #read(chunk) {
    this.#received = Buffer.concat([this.#received, chunk]);
    if (this.#received.length < 2 || this.#received.length < 2 + this.#received.readUInt16BE(0)) return;
    const response = this.#received.subarray(2);
    this.#received = Buffer.alloc(0);
    this.#resolve(response);
  }
}

/** Updates per second of `connections` that send one message after another. */
export async function updatesPerSecond({ port, key, zone }, connections, ms) {
  const clients = await Promise.all(Array.from({ length: connections }, () => UpdateClient.open(port, key)));
  let count = 0;
  const began = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - began < ms) {
        await client.add(zone);
        count += 1;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  for (const client of clients) client.close();
  return count / seconds;
}

function addition(id, zone) {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(UPDATE, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(1, 8);
  const question = Buffer.concat([nameOf(zone), uint16(SOA), uint16(IN)]);
  const owner = nameOf(`u${(added += 1)}.${zone}`);
  const record = Buffer.concat([owner, uint16(A), uint16(IN), Buffer.from([0, 0, 1, 44, 0, 4, 192, 0, 2, 1])]);
  return Buffer.concat([header, question, record]);
}

function nameOf(name) {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function uint16(value) {
  return Buffer.from([value >> 8, value & 255]);
}
