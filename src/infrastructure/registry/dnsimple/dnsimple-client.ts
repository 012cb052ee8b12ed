import {
  RegistryInconclusive,
  RegistryUnavailable,
  type JsonClient,
  type JsonRequest,
  type JsonResponse,
  type ResponseReader,
} from '../../../adapter';
import {
  READ,
  VENDOR,
  type DnsimpleCharge,
  type DnsimpleContact,
  type DnsimpleContactData,
  type DnsimpleDelegationSigner,
  type DnsimpleDelegationSignerData,
  type DnsimpleDomain,
  type DnsimpleOrder,
  type DnsimplePage,
  type DnsimplePrices,
} from './dnsimple-responses';

/** DNSimple responded with an error status below 500. Nothing changed. */
export class DnsimpleError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The invalid fields, if DNSimple names them. */
    readonly fields: readonly string[],
  ) {
    super(message);
  }
}

const PER_PAGE = 100;
/** DNSimple decided, and nothing changed: a bad request, payment required, no permission, not found, not in the plan. */
const REJECTIONS: ReadonlySet<number> = new Set([400, 402, 403, 404, 405, 412, 428]);
const MAX_MESSAGE_LENGTH = 500;

/**
 * DNSimple's API v2: one method for each request, with its JSON. Methods throw DnsimpleError for a rejection and the
 * errors of `JsonClient`.
 */
export class DnsimpleClient {
  constructor(
    private readonly http: JsonClient,
    private readonly account: string,
  ) {}

  /** The email address of the account or the user that the token belongs to, if DNSimple tells. */
  async login(): Promise<string | undefined> {
    const { account, user } = await this.send('GET', '/whoami', READ.whoami);
    return account?.email ?? user?.email ?? undefined;
  }

  async isAvailable(name: string): Promise<boolean> {
    return (await this.search(this.registrar(name, '/check'), READ.available)).available;
  }

  async prices(name: string): Promise<DnsimplePrices> {
    return this.search(this.registrar(name, '/prices'), READ.prices);
  }

  async findDomain(name: string): Promise<DnsimpleDomain | undefined> {
    return this.find(this.domain(name), READ.domain);
  }

  /** Ordered by id, so that a new name does not move the others. */
  async domains(page: number): Promise<DnsimplePage<DnsimpleDomain>> {
    return this.page(`/${this.account}/domains`, page, READ.domains, 'id:asc');
  }

  async createContact(contact: DnsimpleContactData): Promise<number> {
    return (await this.send('POST', `/${this.account}/contacts`, READ.contact, contact)).id;
  }

  async contact(id: number): Promise<DnsimpleContact> {
    return this.send('GET', `/${this.account}/contacts/${id}`, READ.contact);
  }

  async deleteContact(id: number): Promise<void> {
    await this.send('DELETE', `/${this.account}/contacts/${id}`, READ.nothing);
  }

  async register(
    name: string,
    body: { readonly registrant_id: number; readonly auto_renew: false; readonly premium_price?: string },
  ): Promise<DnsimpleOrder> {
    return this.send('POST', this.registrar(name, '/registrations'), READ.order, body);
  }

  async renew(
    name: string,
    body: { readonly period: number; readonly premium_price?: string },
  ): Promise<DnsimpleOrder> {
    return this.send('POST', this.registrar(name, '/renewals'), READ.order, body);
  }

  async renewal(name: string, id: number): Promise<DnsimpleOrder> {
    return this.send('GET', this.registrar(name, `/renewals/${id}`), READ.order);
  }

  async restore(name: string, body: { readonly premium_price?: string }): Promise<DnsimpleOrder> {
    return this.send('POST', this.registrar(name, '/restores'), READ.order, body);
  }

  async restoration(name: string, id: number): Promise<DnsimpleOrder> {
    return this.send('GET', this.registrar(name, `/restores/${id}`), READ.order);
  }

  async transfer(
    name: string,
    body: {
      readonly registrant_id: number;
      readonly auth_code: string;
      readonly auto_renew: false;
      readonly premium_price?: string;
    },
  ): Promise<DnsimpleOrder> {
    return this.send('POST', this.registrar(name, '/transfers'), READ.order, body);
  }

  async transferStatus(name: string, id: number): Promise<DnsimpleOrder> {
    return this.send('GET', this.registrar(name, `/transfers/${id}`), READ.order);
  }

  async cancelTransfer(name: string, id: number): Promise<void> {
    await this.send('DELETE', this.registrar(name, `/transfers/${id}`), READ.nothing);
  }

  /** Invoices since that day, newest first. */
  async charges(since: Date, page: number): Promise<DnsimplePage<DnsimpleCharge>> {
    const day = since.toISOString().slice(0, 10);
    return this.page(`/${this.account}/billing/charges`, page, READ.charges, 'invoiced:desc', { start_date: day });
  }

  async nameservers(name: string): Promise<readonly string[]> {
    return this.send('GET', this.registrar(name, '/delegation'), READ.hosts);
  }

  async setNameservers(name: string, hosts: readonly string[]): Promise<readonly string[]> {
    return this.send('PUT', this.registrar(name, '/delegation'), READ.hosts, hosts);
  }

  async isLocked(name: string): Promise<boolean> {
    return (await this.send('GET', this.registrar(name, '/transfer_lock'), READ.lock)).enabled;
  }

  async setLock(name: string, locked: boolean): Promise<boolean> {
    return (await this.send(locked ? 'POST' : 'DELETE', this.registrar(name, '/transfer_lock'), READ.lock)).enabled;
  }

  async setAutoRenewal(name: string, enabled: boolean): Promise<void> {
    await this.send(enabled ? 'PUT' : 'DELETE', this.registrar(name, '/auto_renewal'), READ.nothing);
  }

  async changeRegistrant(name: string, contactId: number): Promise<DnsimpleOrder> {
    const body = { domain_id: name, contact_id: contactId };
    return this.send('POST', `/${this.account}/registrar/registrant_changes`, READ.order, body);
  }

  async dsRecords(name: string): Promise<readonly DnsimpleDelegationSigner[]> {
    const dsRecords: DnsimpleDelegationSigner[] = [];
    for (let page: number | undefined = 1; page !== undefined;) {
      const { data, next }: DnsimplePage<DnsimpleDelegationSigner> = await this.page(
        this.domain(name, '/ds_records'),
        page,
        READ.dsRecords,
      );
      dsRecords.push(...data);
      page = next;
    }
    return dsRecords;
  }

  async addDsRecord(name: string, dsRecord: DnsimpleDelegationSignerData): Promise<void> {
    await this.send('POST', this.domain(name, '/ds_records'), READ.nothing, dsRecord);
  }

  /** Also if another client removed it first. */
  async removeDsRecord(name: string, id: number): Promise<void> {
    try {
      await this.send('DELETE', this.domain(name, `/ds_records/${id}`), READ.nothing);
    } catch (error) {
      if (!(error instanceof DnsimpleError && error.status === 404)) throw error;
    }
  }

  /** Whether the registry takes keys and computes the DS records itself. */
  async takesKeys(tld: string): Promise<boolean> {
    return (await this.send('GET', `/tlds/${encodeURIComponent(tld)}`, READ.tld)).dnssec_interface_type === 'key';
  }

  async findZoneFile(name: string): Promise<string | undefined> {
    return (await this.find(`/${this.account}/zones/${encodeURIComponent(name)}/file`, READ.zoneFile))?.zone;
  }

  private registrar(name: string, path: string): string {
    return `/${this.account}/registrar/domains/${encodeURIComponent(name)}${path}`;
  }

  private domain(name: string, path = ''): string {
    return `/${this.account}/domains/${encodeURIComponent(name)}${path}`;
  }

  /** Counted apart, so that a 429 for searches does not stop commands. */
  private async search<T>(path: string, read: ResponseReader<T>): Promise<T> {
    return read(dataOf((await this.request({ method: 'GET', path, limit: 'search' })).body));
  }

  private async find<T>(path: string, read: ResponseReader<T>): Promise<T | undefined> {
    try {
      return await this.send('GET', path, read);
    } catch (error) {
      if (error instanceof DnsimpleError && error.status === 404) return undefined;
      throw error;
    }
  }

  private async page<T>(
    path: string,
    page: number,
    read: ResponseReader<readonly T[]>,
    sort?: string,
    filter?: Readonly<Record<string, string>>,
  ): Promise<DnsimplePage<T>> {
    const { body } = await this.request({ method: 'GET', path, query: { page, per_page: PER_PAGE, sort, ...filter } });
    const next = page < totalPagesOf(body) ? page + 1 : undefined;
    return { data: read(dataOf(body)), ...(next !== undefined && { next }) };
  }

  private async send<T>(
    method: JsonRequest['method'],
    path: string,
    read: ResponseReader<T>,
    body?: object,
  ): Promise<T> {
    const response = await this.request({ method, path, ...(body && { body }) });
    return read(dataOf(response.body));
  }

  private async request(request: JsonRequest): Promise<JsonResponse> {
    const response = await this.http.send(request);
    if (response.status < 300) return response;
    if (REJECTIONS.has(response.status)) throw toError(response);
    throw new RegistryInconclusive(`${VENDOR} responded with HTTP ${response.status} to ${request.method}`);
  }
}

/** `errors` is absent, a list, or an object whose values are texts or lists of texts. */
function toError({ status, body }: Pick<JsonResponse, 'status' | 'body'>): DnsimpleError {
  const { message, errors } = isObject(body) ? body : {};
  const entries = isObject(errors) ? Object.entries(errors) : [];
  const details = entries.map(([field, texts]) => `${field} ${[texts].flat().map(String).join(', ')}`);
  const text = [typeof message === 'string' ? message : `${VENDOR} responded with HTTP ${status}`, ...details].join(
    '; ',
  );
  return new DnsimpleError(
    status,
    text.slice(0, MAX_MESSAGE_LENGTH),
    entries.map(([field]) => field),
  );
}

/** Every response with a body has its content under `data`. */
function dataOf(body: unknown): unknown {
  if (body === undefined) return undefined;
  if (isObject(body) && 'data' in body) return body['data'];
  throw new RegistryUnavailable(`${VENDOR} sent a response without data`);
}

function totalPagesOf(body: unknown): number {
  const pagination = isObject(body) ? body['pagination'] : undefined;
  const pages = isObject(pagination) ? Number(pagination['total_pages']) : 1;
  return Number.isInteger(pages) ? pages : 1;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
