import {
  RegistryInconclusive,
  type JsonClient,
  type JsonRequest,
  type JsonResponse,
  type ResponseReader,
} from '../../../adapter';
import {
  READ,
  VENDOR,
  type PageBody,
  type RtrAction,
  type RtrAvailability,
  type RtrContactData,
  type RtrCredit,
  type RtrDomain,
  type RtrPage,
  type RtrPrice,
  type RtrProcess,
  type RtrQuote,
  type RtrTransfer,
} from './realtimeregister-responses';

/** Realtime Register rejected a request. Nothing changed. */
export class RealtimeRegisterError extends Error {
  constructor(
    readonly status: number,
    /** As in the vendor's list of errors: `ObjectDoesNotExist`. Empty if the response has none. */
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}

/** The vendor's list: https://dm.realtimeregister.com/docs/api/errors. With a 400, the type decides. */
const REJECTIONS: ReadonlySet<number> = new Set([400, 402, 403, 404, 405, 409, 422]);
const MAX_MESSAGE_LENGTH = 500;
const NEWEST_PROCESSES = 100;
const NAMES_PER_PAGE = 500;

/**
 * Realtime Register's API v2: one method for each request, with its JSON. Periods are months, amounts are cents. Methods
 * throw RealtimeRegisterError for a rejection and the errors of `JsonClient`.
 */
export class RealtimeRegisterClient {
  constructor(
    private readonly http: JsonClient,
    private readonly customer: string,
  ) {}

  async check(name: string): Promise<RtrAvailability> {
    return this.send('GET', domain(name, '/check'), READ.availability, {
      query: { renewPrice: true },
      limit: 'search',
    });
  }

  async findDomain(name: string): Promise<RtrDomain | undefined> {
    const found = await this.find(domain(name), READ.domain);
    return found && { status: [], autoRenew: false, premium: false, ns: [], keyData: [], dsData: [], ...found };
  }

  async names(offset: number): Promise<RtrPage<Pick<RtrDomain, 'domainName' | 'expiryDate'>>> {
    const query = { fields: 'domainName,expiryDate', order: 'domainName', limit: NAMES_PER_PAGE, offset };
    return toPage(await this.send('GET', '/v2/domains', READ.names, { query }));
  }

  /** What `act` with the same body would cost. Changes nothing. */
  async quote(name: string, action: string, body: RtrAction): Promise<RtrQuote> {
    const { quote } = await this.send('POST', domain(name, action), READ.quote, { query: { quote: true }, body });
    return { billables: [], ...quote };
  }

  /** `action` is the end of the path: none to register, `/renew`. */
  async act(name: string, action: string, body: RtrAction): Promise<void> {
    await this.send('POST', domain(name, action), READ.nothing, { body });
  }

  async deleteDomain(name: string): Promise<void> {
    await this.send('DELETE', domain(name), READ.nothing);
  }

  async prices(currency: string): Promise<readonly RtrPrice[]> {
    const path = `/v2/customers/${encodeURIComponent(this.customer)}/pricelist`;
    return (await this.send('GET', path, READ.prices, { query: { currency } })).prices;
  }

  async credit(): Promise<readonly RtrCredit[]> {
    return (await this.send('GET', `/v2/customers/${encodeURIComponent(this.customer)}/credit`, READ.credit)).accounts;
  }

  async contact(handle: string): Promise<RtrContactData> {
    return this.send('GET', this.contactPath(handle), READ.contact);
  }

  async createContact(handle: string, contact: RtrContactData): Promise<void> {
    await this.send('POST', this.contactPath(handle), READ.nothing, { body: contact });
  }

  async createHost(host: string, addresses: readonly object[]): Promise<void> {
    await this.send('POST', `/v2/hosts/${encodeURIComponent(host)}`, READ.nothing, { body: { addresses } });
  }

  async updateHost(host: string, addresses: readonly object[]): Promise<void> {
    await this.send('POST', `/v2/hosts/${encodeURIComponent(host)}/update`, READ.nothing, { body: { addresses } });
  }

  /** Those of a domain, newest first. */
  async processes(name: string): Promise<readonly RtrProcess[]> {
    const query = { q: name, limit: NEWEST_PROCESSES };
    const { entities } = await this.send('GET', '/v2/processes', READ.processes, { query });
    return entities
      .filter(({ type, identifier }) => type === 'domain' && identifier?.toLowerCase() === name)
      .toSorted((left, right) => right.id - left.id);
  }

  async cancelProcess(id: number): Promise<void> {
    await this.send('DELETE', `/v2/processes/${id}`, READ.nothing);
  }

  async findTransfer(name: string, processId: number): Promise<RtrTransfer | undefined> {
    return this.find(domain(name, `/transfer/${processId}`), READ.transfer);
  }

  /** The oldest notification that is not acknowledged. */
  async poll(): Promise<unknown> {
    return (await this.send('GET', `${this.notifications()}/poll`, READ.poll)).notification;
  }

  async acknowledge(id: string): Promise<void> {
    await this.send('POST', `${this.notifications()}/${encodeURIComponent(id)}/ack`, READ.nothing);
  }

  private contactPath(handle: string): string {
    return `/v2/customers/${encodeURIComponent(this.customer)}/contacts/${encodeURIComponent(handle)}`;
  }

  private notifications(): string {
    return `/v2/customers/${encodeURIComponent(this.customer)}/notifications`;
  }

  private async find<T>(path: string, read: ResponseReader<T>): Promise<T | undefined> {
    try {
      return await this.send('GET', path, read);
    } catch (error) {
      if (error instanceof RealtimeRegisterError && isMissing(error)) return undefined;
      throw error;
    }
  }

  private async send<T>(
    method: JsonRequest['method'],
    path: string,
    read: ResponseReader<T>,
    parts: Pick<JsonRequest, 'query' | 'body' | 'limit'> = {},
  ): Promise<T> {
    const response = await this.http.send({ method, path, ...parts });
    if (response.status < 300) return read(response.body);
    if (REJECTIONS.has(response.status)) throw toError(response);
    throw new RegistryInconclusive(`${VENDOR} responded with HTTP ${response.status} to ${method}`);
  }
}

/** The error as its `type` and `message`, with the invalid fields if it names them. */
export function toError({ status, body }: Pick<JsonResponse, 'status' | 'body'>): RealtimeRegisterError {
  const { type, message, violations } = isObject(body) ? body : {};
  const details = (Array.isArray(violations) ? (violations as readonly unknown[]) : []).flatMap((violation) =>
    isObject(violation) ? [`${String(violation['field'])} ${String(violation['message'])}`] : [],
  );
  const text = [typeof message === 'string' ? message : `${VENDOR} responded with HTTP ${status}`, ...details];
  return new RealtimeRegisterError(
    status,
    typeof type === 'string' ? type : '',
    text.join('; ').slice(0, MAX_MESSAGE_LENGTH),
  );
}

export function isMissing({ status, type }: RealtimeRegisterError): boolean {
  return status === 404 || type === 'ObjectDoesNotExist';
}

function domain(name: string, path = ''): string {
  return `/v2/domains/${encodeURIComponent(name)}${path}`;
}

function toPage<T>({ entities, pagination }: PageBody<T>): RtrPage<T> {
  return { entities, total: pagination?.total ?? entities.length };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
