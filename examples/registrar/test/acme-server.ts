import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AcmeDomain } from '../src/acme-mapping';

type Parameters = Readonly<Record<string, unknown>>;
type Answer =
  { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly code: string; readonly text: string };

/** The first year is cheap: what several cost is no multiple of it. */
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

/** Acme, as far as we know it: in memory, on a free port. */
export class AcmeServer {
  readonly token = TOKEN;
  private readonly domains = new Map<string, AcmeDomain>();
  private codes = 0;
  private readonly unheard = new Set<string>();
  private readonly server = createServer((req, res) => {
    void this.serve(req).then((answer) =>
      answer ? res.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer)) : req.socket.destroy(),
    );
  });

  /** Answers its address. */
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

  /** The next command that changes `name` takes effect, and its answer is lost. */
  loseNextAnswer(name: string): void {
    this.unheard.add(name);
  }

  private async serve(req: IncomingMessage): Promise<Answer | undefined> {
    const parameters = await bodyOf(req);
    const answer =
      req.headers.authorization === `Bearer ${TOKEN}` ? this.answer(String(req.url).slice(1), parameters) : no('TOKEN');
    return req.headers['request-id'] !== undefined && this.unheard.delete(String(parameters['name']))
      ? undefined
      : answer;
  }

  private answer(command: string, parameters: Parameters): Answer {
    const { name } = parameters as { name?: string };
    if (command === 'check')
      return yes(
        (parameters['names'] as { name: string; registration: number; renewal: number }[]).map((asked) => ({
          name: asked.name,
          free: !this.domains.has(asked.name),
          price: priceOf(asked),
        })),
      );
    if (command === 'price') return yes(priceOf(parameters));
    if (name === undefined) return no('POLICY');
    const held = this.domains.get(name);
    if (command === 'info') return yes(held ?? null);
    if (command === 'register') return held ? no('TAKEN') : this.register(name, parameters);
    return held ? this.change(command, held, parameters) : no('UNKNOWN');
  }

  private register(name: string, { years, amount, hosts }: Parameters): Answer {
    const fee = registrationFee(Number(years));
    if (fee !== amount) return no('PRICE');
    const now = new Date();
    return this.keep(
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

  private change(command: string, held: AcmeDomain, parameters: Parameters): Answer {
    switch (command) {
      case 'renew': {
        const expires = later(new Date(held.expires), Number(parameters['years']));
        if (held.expires.slice(0, 10) !== parameters['expires']) return no('EXPIRY');
        const fee = RENEWAL * Number(parameters['years']);
        if (![undefined, fee].includes(parameters['amount'] as number)) return no('PRICE');
        return expires > later(new Date(), 10) ? no('POLICY') : this.keep({ ...held, expires }, fee);
      }
      case 'delegate':
        return this.keep({ ...held, hosts: parameters['hosts'] as string[] });
      case 'lock':
        return this.keep({ ...held, locked: parameters['locked'] === true });
      case 'auth-code':
        return yes({ code: `code-${(this.codes += 1)}`, until: later(new Date(), 1) });
      case 'restore':
        return no('STATE');
      case 'delete':
        return this.keep({ ...held, state: 'DELETED' });
      default:
        return yes(held);
    }
  }

  private keep(domain: AcmeDomain, fee?: number): Answer {
    this.domains.set(domain.name, domain);
    return yes({ ...domain, ...(fee !== undefined && { charged: { amount: fee, currency: 'USD' } }) });
  }
}

function yes(data: unknown): Answer {
  return { ok: true, data };
}

function no(code: string): Answer {
  return { ok: false, code, text: `refused: ${code}` };
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
