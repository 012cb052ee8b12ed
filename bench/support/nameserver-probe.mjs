// Queries a nameserver on the loopback over UDP.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { encode } from 'dns-packet';
import { serialOf } from './axfr.mjs';

const TIMEOUT_MS = 500;

export class NameserverProbe {
  #socket;
  #port;
  #nextId = 1;
  #pending = new Map();

  static async open(port) {
    const probe = new NameserverProbe();
    probe.#port = port;
    probe.#socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(probe.#socket, 'listening');
    probe.#socket.on('message', (bytes) => probe.#pending.get(bytes.readUInt16BE(0))?.(bytes));
    return probe;
  }

  async isReachable() {
    return (await this.#query('unknown.invalid', 'SOA')) !== undefined;
  }

  async hasRecords(name, type) {
    const answer = await this.#query(name, type);
    return answer !== undefined && answer.readUInt16BE(6) > 0;
  }

  async serial(zone) {
    const answer = await this.#query(zone, 'SOA');
    return answer && serialOf(answer);
  }

  /** Returns the milliseconds until the record is served. Queries every `everyMs` at first, then less often to limit load. */
  async waitForRecord(name, type, everyMs) {
    const began = performance.now();
    while (!(await this.hasRecords(name, type))) await sleep(everyMs + (performance.now() - began) / 10);
    return performance.now() - began;
  }

  close() {
    this.#socket.close();
  }

  #query(name, type) {
    const id = (this.#nextId = (this.#nextId % 65_535) + 1);
    return new Promise((resolve) => {
      const finish = (bytes) => {
        clearTimeout(timer);
        this.#pending.delete(id);
        resolve(bytes);
      };
      const timer = setTimeout(finish, TIMEOUT_MS);
      this.#pending.set(id, finish);
      this.#socket.send(encode({ type: 'query', id, questions: [{ type, name }] }), this.#port, '127.0.0.1');
    });
  }
}
