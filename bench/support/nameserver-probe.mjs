// Asks a nameserver on the loopback by UDP.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode, encode } from 'dns-packet';

const ANSWER_WITHIN_MS = 500;

export class NameserverProbe {
  #socket;
  #port;
  #nextId = 1;
  #waiting = new Map();

  static async open(port) {
    const probe = new NameserverProbe();
    probe.#port = port;
    probe.#socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(probe.#socket, 'listening');
    probe.#socket.on('message', (bytes) => probe.#waiting.get(bytes.readUInt16BE(0))?.(bytes));
    return probe;
  }

  async isThere() {
    return (await this.#ask('nobody.invalid', 'SOA')) !== undefined;
  }

  /** Whether there are records of this name and type. */
  async has(name, type) {
    const answer = await this.#ask(name, type);
    return answer !== undefined && answer.readUInt16BE(6) > 0;
  }

  async serial(zone) {
    const answer = await this.#ask(zone, 'SOA');
    return answer && decode(answer).answers[0]?.data.serial;
  }

  /** Milliseconds until there are, asking every `everyMs` at first, and less often the longer it takes, or asking would be the load. */
  async millisecondsUntil(name, type, everyMs) {
    const began = performance.now();
    while (!(await this.has(name, type))) await sleep(everyMs + (performance.now() - began) / 10);
    return performance.now() - began;
  }

  close() {
    this.#socket.close();
  }

  #ask(name, type) {
    const id = (this.#nextId = (this.#nextId % 65_535) + 1);
    return new Promise((resolve) => {
      const settle = (bytes) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(bytes);
      };
      const timer = setTimeout(settle, ANSWER_WITHIN_MS);
      this.#waiting.set(id, settle);
      this.#socket.send(encode({ type: 'query', id, questions: [{ type, name }] }), this.#port, '127.0.0.1');
    });
  }
}
