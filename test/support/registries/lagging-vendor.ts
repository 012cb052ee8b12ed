import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addYears } from '../../../src/domain/shared/time/calendar';
import { A_REGISTRANT } from '../data/a-domain';

interface VendorName {
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly nameservers: readonly string[];
  readonly registrant: object;
}

export const DEFAULT_CONTACT = { ...A_REGISTRANT, firstName: 'Default', lastName: 'Contact' };
const CHARGED = { minor: 10_00, currency: 'USD' };

/** A vendor that loses responses, shows names late, and charges a command once for each idempotency key. */
export class LaggingVendor {
  /** `register NAME`, `renew NAME`. */
  readonly charges: string[] = [];
  /** How many requests of each command it got. */
  readonly received = new Map<string, number>();
  readonly names = new Map<string, VendorName>();
  private readonly shown = new Map<string, VendorName | undefined>();
  private readonly replays = new Map<string, unknown>();
  private readonly lost = new Set<string>();
  private readonly server = createServer((req, res) => {
    void this.serve(req).then((data) =>
      data === undefined ? req.socket.destroy() : res.end(JSON.stringify({ data: data ?? null })),
    );
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  /** Executes the next `command`, and does not respond. */
  loseNextResponse(command: string): void {
    this.lost.add(command);
  }

  /** From now on, shows the name as it is now. */
  lagReads(name: string): void {
    this.shown.set(name, this.names.get(name));
  }

  catchUp(): void {
    this.shown.clear();
  }

  /** Undefined if the response is lost. */
  private async serve(req: IncomingMessage): Promise<unknown> {
    const command = String(req.url).slice(1);
    this.received.set(command, (this.received.get(command) ?? 0) + 1);
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const key = req.headers['idempotency-key'];
    const data = key === undefined ? this.execute(command, body) : this.executeOnce(String(key), command, body);
    return this.lost.delete(command) ? undefined : data;
  }

  private executeOnce(key: string, command: string, body: Record<string, unknown>): unknown {
    if (!this.replays.has(key)) this.replays.set(key, this.execute(command, body));
    return this.replays.get(key);
  }

  private execute(command: string, body: Record<string, unknown>): unknown {
    const name = String(body['name']);
    const held = this.names.get(name);
    if (command === 'register') {
      const now = new Date();
      const expiresAt = addYears(now, Number(body['years'])).toISOString();
      const nameservers = body['hosts'] as readonly string[];
      this.names.set(name, { createdAt: now.toISOString(), expiresAt, nameservers, registrant: DEFAULT_CONTACT });
      this.charges.push(`register ${name}`);
    }
    if (command === 'registrant' && held) this.names.set(name, { ...held, registrant: body['registrant'] as object });
    if (command === 'renew' && held) {
      const expiresAt = addYears(new Date(held.expiresAt), Number(body['years'])).toISOString();
      this.names.set(name, { ...held, expiresAt });
      this.charges.push(`renew ${name}`);
    }
    const shown = this.shown.has(name) ? this.shown.get(name) : this.names.get(name);
    return shown ? { ...shown, ...(command === 'renew' && { charged: CHARGED }) } : null;
  }
}
