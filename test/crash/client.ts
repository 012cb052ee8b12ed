import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from './random';

type RequestKind =
  | 'register'
  | 'renew'
  | 'nameservers'
  | 'transfer-lock'
  | 'auth-code'
  | 'record'
  | 'record-change'
  | 'record-removal'
  | 'address';

/** A request, with what the client knows about its outcome. */
export interface SentRequest {
  readonly kind: RequestKind;
  readonly name: string;
  readonly body: object | undefined;
  /** Whether it has an Idempotency-Key and is therefore retried until it gets a final response. */
  readonly keyed: boolean;
  /** Of the final response; undefined without one. */
  status?: number;
  /** Of an error. */
  code?: string | undefined;
  /** When the final response came, as `performance.now()`. */
  respondedAt?: number;
  domainId?: string;
  operationId?: string | undefined;
  recordId?: string;
}

/** Whether the request changes records. It does not wait for the registry, which gets changed addresses of nameservers afterwards. */
export function isRecordChange({ kind }: SentRequest): boolean {
  return kind === 'record' || kind === 'record-change' || kind === 'record-removal' || kind === 'address';
}

export interface Traffic {
  /** The shares of registrations and renewals among the requests of a client with domains. The rest are other changes of domains. */
  readonly registrations: number;
  readonly renewals: number;
  /** The share of changes of records. */
  readonly records: number;
  /** Whether the registry returns auth codes. */
  readonly hasAuthCodes: boolean;
  /** Whether names get nameservers below themselves, whose addresses change. */
  readonly hasGlue?: boolean;
}

/** The label of nameservers below the own name. */
export const OWN_HOST = 'ns1';

interface OwnedDomain {
  readonly id: string;
  readonly name: string;
  /** Ids of records. */
  readonly records: string[];
  /** The record with the address of the own nameserver; `tried` without a response to its creation. */
  address?: { readonly id: string } | 'tried';
}

const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
};
const TIMEOUT_MS = 5_000;
const UNKEYED_SHARE = 0.15;
const RETRY_AFTER_MS = [20, 120] as const;

/** Sends random requests for one account, one at a time; retries those with an Idempotency-Key. */
export class Client {
  readonly requests: SentRequest[] = [];
  private readonly domains: OwnedDomain[] = [];
  private serial = 0;

  constructor(
    private readonly label: string,
    private readonly addresses: readonly [string, ...string[]],
    private readonly apiKey: string,
    private readonly random: SeededRandom,
    private readonly traffic: Traffic,
  ) {}

  async run(isRunning: () => boolean): Promise<void> {
    while (isRunning()) await this.sendRandomRequest();
  }

  private async sendRandomRequest(): Promise<void> {
    const choice = this.random.next();
    const domain = this.domains[this.random.between(0, this.domains.length - 1)];
    const { registrations, renewals, records, hasAuthCodes, hasGlue = false } = this.traffic;
    if (!domain || choice < registrations) return this.register();
    if (choice < registrations + renewals) return this.changeDomain('renew', domain, 'post', { years: 1 });
    if (choice < registrations + renewals + records) return this.changeRecords(domain);
    const other = this.random.next();
    if (hasGlue && other < 0.4) return this.changeAddress(domain);
    if (other < 0.6) return this.changeNameservers(domain);
    if (other < 0.9 || !hasAuthCodes)
      return this.changeDomain('transfer-lock', domain, 'put', { transfer_locked: this.random.next() < 0.5 });
    return this.changeDomain('auth-code', domain, 'post', undefined);
  }

  private async register(): Promise<void> {
    this.serial += 1;
    const name = `${this.label}-${this.serial}.com`;
    const request = this.record({
      kind: 'register',
      name,
      body: { name, contacts: { registrant: REGISTRANT } },
      keyed: this.random.next() > UNKEYED_SHARE,
    });
    const body = await this.send(request, 'POST', '/api/domains');
    if (request.status !== 201 || !body) return;
    request.domainId = body['id'] as string;
    const domain: OwnedDomain = { id: request.domainId, name, records: [] };
    this.domains.push(domain);
    if (!this.traffic.hasGlue || this.random.next() < 0.5) return;
    await this.changeAddress(domain);
    await this.changeNameservers(domain);
  }

  /**
   * Adds or removes a record, which the service would reject if it ran twice, or changes the content of one or the address of the own
   * nameserver. Contents are unique.
   */
  private async changeRecords(domain: OwnedDomain): Promise<void> {
    const { id, name, records } = domain;
    if (typeof domain.address === 'object' && this.random.next() < 0.7) return this.changeAddress(domain);
    const keyed = this.random.next() > UNKEYED_SHARE;
    const choice = this.random.next();
    const content = `${this.label} ${this.requests.length}`;
    const changed = choice < 0.2 ? records[this.random.between(0, records.length - 1)] : undefined;
    if (changed !== undefined) {
      const request = {
        kind: 'record-change',
        name,
        body: { content },
        keyed,
        domainId: id,
        recordId: changed,
      } as const;
      await this.send(this.record(request), 'PUT', `/api/domains/${id}/dns/records/${changed}`);
      return;
    }
    const removed = choice < 0.5 ? records.pop() : undefined;
    if (removed !== undefined) {
      await this.send(
        this.record({ kind: 'record-removal', name, body: undefined, keyed, domainId: id, recordId: removed }),
        'DELETE',
        `/api/domains/${id}/dns/records/${removed}`,
      );
      return;
    }
    const body = { type: 'TXT', name: `request-${this.requests.length}`, content };
    const request = this.record({ kind: 'record', name, body, keyed, domainId: id });
    const created = await this.send(request, 'POST', `/api/domains/${id}/dns/records`);
    if (request.status !== 201 || !created) return;
    request.recordId = created['id'] as string;
    records.push(request.recordId);
  }

  private async changeNameservers(domain: OwnedDomain): Promise<void> {
    const isOwn = typeof domain.address === 'object' && this.random.next() < 0.8;
    const first = isOwn ? `${OWN_HOST}.${domain.name}` : `ns1.host-${this.random.between(1, 999)}.example.net`;
    await this.changeDomain('nameservers', domain, 'put', { nameservers: [first, 'ns2.example.net'] });
  }

  /** The registry must get the last address of a nameserver. */
  private async changeAddress(domain: OwnedDomain): Promise<void> {
    const { id, name, address } = domain;
    if (address === 'tried') return;
    const content = `198.51.${this.random.between(0, 255)}.${this.random.between(1, 254)}`;
    const keyed = this.random.next() > UNKEYED_SHARE;
    if (address) {
      const request = this.record({ kind: 'address', name, body: { content }, keyed, domainId: id });
      await this.send(request, 'PUT', `/api/domains/${id}/dns/records/${address.id}`);
      return;
    }
    domain.address = 'tried';
    const body = { type: 'A', name: OWN_HOST, content };
    const request = this.record({ kind: 'record', name, body, keyed, domainId: id });
    const created = await this.send(request, 'POST', `/api/domains/${id}/dns/records`);
    if (request.status === 201 && created) domain.address = { id: created['id'] as string };
  }

  private async changeDomain(
    kind: RequestKind,
    { id, name }: OwnedDomain,
    method: 'post' | 'put',
    body: object | undefined,
  ): Promise<void> {
    const request = this.record({ kind, name, body, keyed: this.random.next() > UNKEYED_SHARE, domainId: id });
    await this.send(request, method.toUpperCase(), `/api/domains/${id}/${kind}`);
  }

  private record(request: SentRequest): SentRequest {
    this.requests.push(request);
    return request;
  }

  private async send(request: SentRequest, method: string, path: string): Promise<Record<string, unknown> | undefined> {
    const headers = {
      Authorization: `Bearer ${this.apiKey}`,
      ...(request.body && { 'Content-Type': 'application/json' }),
      ...(request.keyed && { 'Idempotency-Key': `${this.label}-request-${this.requests.length}` }),
    };
    const init: RequestInit = { method, headers, ...(request.body && { body: JSON.stringify(request.body) }) };
    for (;;) {
      const body = await this.attempt(`${this.random.oneOf(this.addresses)}${path}`, init, request);
      if (body || !request.keyed) return body;
      await sleep(this.random.between(...RETRY_AFTER_MS));
    }
  }

  /** The body of a final response; undefined if the request must be retried. */
  private async attempt(
    url: string,
    init: RequestInit,
    request: SentRequest,
  ): Promise<Record<string, unknown> | undefined> {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
      const body = (await response.json()) as Record<string, unknown>;
      if (response.status >= 500 || response.headers.has('Retry-After')) return undefined;
      request.status = response.status;
      request.code = (body['error'] as { readonly code?: string } | undefined)?.code;
      request.respondedAt = performance.now();
      request.operationId = response.headers.get('Operation-Location')?.split('/').at(-1);
      return body;
    } catch {
      return undefined;
    }
  }
}
