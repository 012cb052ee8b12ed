import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AcmeDomain } from '../src/acme-mapping';

type Parameters = Readonly<Record<string, unknown>>;
type Response =
  { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly code: string; readonly text: string };

/** The first year is cheaper, so fees of several years are not a multiple of it. */
const RENEWAL = 11;
const FIRST_YEAR = 9.5;
const registrationFee = (years: number): number => FIRST_YEAR + (years - 1) * RENEWAL;
const priceOf = ({ registration = 1, renewal = 1 }: { registration?: number; renewal?: number }) => ({
  registration: registrationFee(registration),
  renewal: renewal * RENEWAL,
  restore: 60,
  currency: 'USD',
});
const TOKEN = 'a token for tests';

/** Acme's test server, in memory, on a free port. */
export class AcmeServer {
  readonly token = TOKEN;
  private readonly domains = new Map<string, AcmeDomain>();
  private codes = 0;
  private readonly lostResponses = new Set<string>();
  /** First responses by idempotency key. */
  private readonly replays = new Map<string, Response>();
  /** What `info` shows of names whose reads lag. */
  private readonly lagging = new Map<string, AcmeDomain | undefined>();
  private readonly charged: { readonly command: string; readonly name: string }[] = [];
  private readonly server = createServer((req, res) => {
    void this.serve(req).then((response) =>
      response ? res.setHeader('Content-Type', 'application/json').end(JSON.stringify(response)) : req.socket.destroy(),
    );
  });

  /** Returns its URL. */
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

  /** The next command that changes `name` takes effect, and its response is lost. */
  loseNextResponse(name: string): void {
    this.lostResponses.add(name);
  }

  /** From now on, `info` shows `name` as it is now. Returns the function that ends this. */
  lagReads(name: string): () => void {
    this.lagging.set(name, this.domains.get(name));
    return () => void this.lagging.delete(name);
  }

  /** How many commands on `name` were charged. */
  charges(name: string, command: string): number {
    return this.charged.filter((each) => each.name === name && each.command === command).length;
  }

  private async serve(req: IncomingMessage): Promise<Response | undefined> {
    const parameters = await bodyOf(req);
    const response =
      req.headers.authorization === `Bearer ${TOKEN}`
        ? this.executeOnce(String(req.url).slice(1), parameters, req.headers['idempotency-key']?.toString())
        : rejection('TOKEN');
    return req.headers['request-id'] !== undefined && this.lostResponses.delete(String(parameters['name']))
      ? undefined
      : response;
  }

  private executeOnce(command: string, parameters: Parameters, key: string | undefined): Response {
    if (key === undefined) return this.execute(command, parameters);
    const replay = this.replays.get(`${command} ${key}`);
    const response = replay ?? this.execute(command, parameters);
    this.replays.set(`${command} ${key}`, response);
    return response;
  }

  private execute(command: string, parameters: Parameters): Response {
    const { name } = parameters as { name?: string };
    if (command === 'check')
      return success(
        (parameters['names'] as { name: string; registration: number; renewal: number }[]).map((request) => ({
          name: request.name,
          free: !this.domains.has(request.name),
          price: priceOf(request),
        })),
      );
    if (command === 'price') return success(priceOf(parameters));
    if (name === undefined) return rejection('POLICY');
    const domain = this.domains.get(name);
    if (command === 'info') return success((this.lagging.has(name) ? this.lagging.get(name) : domain) ?? null);
    if (command === 'register') return domain ? rejection('TAKEN') : this.register(name, parameters);
    return domain ? this.change(command, domain, parameters) : rejection('UNKNOWN');
  }

  private register(name: string, { years, amount, hosts }: Parameters): Response {
    const fee = registrationFee(Number(years));
    if (fee !== amount) return rejection('PRICE');
    const now = new Date();
    this.charged.push({ command: 'register', name });
    return this.store(
      {
        name,
        state: 'LIVE',
        mine: true,
        created: now.toISOString(),
        expires: later(now, Number(years)),
        hosts: hosts as string[],
        locked: true,
      },
      fee,
    );
  }

  private change(command: string, domain: AcmeDomain, parameters: Parameters): Response {
    switch (command) {
      case 'renew': {
        const expires = later(new Date(domain.expires), Number(parameters['years']));
        if (domain.expires.slice(0, 10) !== parameters['expires']) return rejection('EXPIRY');
        const fee = RENEWAL * Number(parameters['years']);
        if (![undefined, fee].includes(parameters['amount'] as number)) return rejection('PRICE');
        if (expires > later(new Date(), 10)) return rejection('POLICY');
        this.charged.push({ command, name: domain.name });
        return this.store({ ...domain, expires }, fee);
      }
      case 'delegate':
        return this.store({ ...domain, hosts: parameters['hosts'] as string[] });
      case 'lock':
        return this.store({ ...domain, locked: parameters['locked'] === true });
      case 'auth-code':
        return success({ code: `code-${(this.codes += 1)}`, until: later(new Date(), 1) });
      case 'restore':
        return rejection('STATE');
      case 'delete':
        return this.store({ ...domain, state: 'DELETED' });
      default:
        return success(domain);
    }
  }

  private store(domain: AcmeDomain, fee?: number): Response {
    this.domains.set(domain.name, domain);
    return success({ ...domain, ...(fee !== undefined && { charged: { amount: fee, currency: 'USD' } }) });
  }
}

function success(data: unknown): Response {
  return { ok: true, data };
}

function rejection(code: string): Response {
  return { ok: false, code, text: `rejected: ${code}` };
}

function later(from: Date, years: number): string {
  const moved = new Date(from);
  moved.setUTCFullYear(moved.getUTCFullYear() + years);
  return moved.toISOString();
}

async function bodyOf(req: IncomingMessage): Promise<Parameters> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Parameters;
}
