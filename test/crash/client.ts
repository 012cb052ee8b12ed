import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from './random';

export type WishKind =
  'register' | 'renew' | 'nameservers' | 'transfer-lock' | 'auth-code' | 'record' | 'record-removal';

/** Something that a client wanted, and what it knows about it. */
export interface Wish {
  readonly kind: WishKind;
  readonly name: string;
  readonly body: object | undefined;
  /** Whether it came with an Idempotency-Key, so that it was repeated until it was answered. */
  readonly keyed: boolean;
  /** The last answer; undefined where none came. */
  status?: number;
  domainId?: string;
  operationId?: string | undefined;
  recordId?: string;
}

/** Wishes that no registry is asked about. */
export function isOfRecords({ kind }: Wish): boolean {
  return kind === 'record' || kind === 'record-removal';
}

interface Owned {
  readonly id: string;
  readonly name: string;
  /** Ids of records. */
  readonly records: string[];
}

const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
};
const PATIENCE_MS = 5_000;
const UNKEYED_SHARE = 0.15;
const REPEAT_AFTER_MS = [20, 120] as const;

/** Drives one account's domains through one wish after another; repeats what has a key until it is answered for good. */
export class Client {
  readonly wishes: Wish[] = [];
  private readonly owned: Owned[] = [];
  private serial = 0;

  constructor(
    private readonly label: string,
    private readonly addresses: readonly [string, ...string[]],
    private readonly apiKey: string,
    private readonly random: SeededRandom,
  ) {}

  async run(goesOn: () => boolean): Promise<void> {
    while (goesOn()) await this.wishSomething();
  }

  private async wishSomething(): Promise<void> {
    const choice = this.random.next();
    const domain = this.owned[this.random.between(0, this.owned.length - 1)];
    if (!domain || choice < 0.3) return this.register();
    if (choice < 0.45) return this.changeRecords(domain);
    if (choice < 0.65) return this.wish('renew', domain, 'post', { years: 1 });
    if (choice < 0.85)
      return this.wish('nameservers', domain, 'put', {
        nameservers: [`ns1.host-${this.random.between(1, 999)}.net`, 'ns2.example.net'],
      });
    if (choice < 0.95) return this.wish('transfer-lock', domain, 'put', { transfer_locked: this.random.next() < 0.5 });
    return this.wish('auth-code', domain, 'post', undefined);
  }

  private async register(): Promise<void> {
    this.serial += 1;
    const name = `${this.label}-${this.serial}.com`;
    const wish = this.remember({
      kind: 'register',
      name,
      body: { name, contacts: { registrant: REGISTRANT } },
      keyed: this.random.next() > UNKEYED_SHARE,
    });
    const answer = await this.send(wish, 'POST', '/api/domains');
    if (wish.status !== 201 || !answer) return;
    wish.domainId = answer['id'] as string;
    this.owned.push({ id: wish.domainId, name, records: [] });
  }

  /** Adds one that there is not, or removes one that there is: done twice, either would be refused. */
  private async changeRecords({ id, name, records }: Owned): Promise<void> {
    const keyed = this.random.next() > UNKEYED_SHARE;
    const removed = this.random.next() < 0.4 ? records.pop() : undefined;
    if (removed !== undefined) {
      await this.send(
        this.remember({ kind: 'record-removal', name, body: undefined, keyed, domainId: id, recordId: removed }),
        'DELETE',
        `/api/domains/${id}/dns/records/${removed}`,
      );
      return;
    }
    const body = { type: 'TXT', name: `wish-${this.wishes.length}`, content: this.label };
    const wish = this.remember({ kind: 'record', name, body, keyed, domainId: id });
    const answer = await this.send(wish, 'POST', `/api/domains/${id}/dns/records`);
    if (wish.status !== 201 || !answer) return;
    wish.recordId = answer['id'] as string;
    records.push(wish.recordId);
  }

  private async wish(
    kind: WishKind,
    { id, name }: Owned,
    method: 'post' | 'put',
    body: object | undefined,
  ): Promise<void> {
    const wish = this.remember({ kind, name, body, keyed: this.random.next() > UNKEYED_SHARE, domainId: id });
    await this.send(wish, method.toUpperCase(), `/api/domains/${id}/${kind}`);
  }

  private remember(wish: Wish): Wish {
    this.wishes.push(wish);
    return wish;
  }

  private async send(wish: Wish, method: string, path: string): Promise<Record<string, unknown> | undefined> {
    const headers = {
      Authorization: `Bearer ${this.apiKey}`,
      ...(wish.body && { 'Content-Type': 'application/json' }),
      ...(wish.keyed && { 'Idempotency-Key': `${this.label}-wish-${this.wishes.length}` }),
    };
    const request: RequestInit = { method, headers, ...(wish.body && { body: JSON.stringify(wish.body) }) };
    for (;;) {
      const answer = await this.attempt(`${this.random.oneOf(this.addresses)}${path}`, request, wish);
      if (answer || !wish.keyed) return answer;
      await sleep(this.random.between(...REPEAT_AFTER_MS));
    }
  }

  /** Undefined where nothing came, or where another attempt may be answered otherwise. */
  private async attempt(url: string, request: RequestInit, wish: Wish): Promise<Record<string, unknown> | undefined> {
    try {
      const response = await fetch(url, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) });
      const body = (await response.json()) as Record<string, unknown>;
      if (response.status >= 500 || response.headers.has('Retry-After')) return undefined;
      wish.status = response.status;
      wish.operationId = response.headers.get('Operation-Location')?.split('/').at(-1);
      return body;
    } catch {
      return undefined;
    }
  }
}
