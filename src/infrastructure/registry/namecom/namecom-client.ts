import { JsonClient, responseReader, type JsonRequest, type ResponseReader } from '../../../adapter';

export const VENDOR = 'name.com';

/** name.com rejected the request with a status from 400 to 499. Nothing changed. */
export class NamecomError extends Error {
  override readonly name = 'NamecomError';

  constructor(
    readonly status: number,
    /** For people only: name.com has no error codes. */
    readonly text: string,
  ) {
    super(`${VENDOR} rejected the request with HTTP ${status}`);
  }
}

export interface NamecomContact {
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly companyName?: string | null;
  readonly address1?: string | null;
  readonly address2?: string | null;
  readonly city?: string | null;
  readonly state?: string | null;
  readonly zip?: string | null;
  readonly country?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly fax?: string | null;
  readonly isVerified?: boolean;
}

export type NamecomContacts = Partial<Record<'registrant' | 'admin' | 'tech' | 'billing', NamecomContact>>;

export interface NamecomDomain {
  readonly domainName: string;
  readonly createDate: string;
  readonly expireDate: string | null;
  readonly autorenewEnabled: boolean;
  readonly locked: boolean;
  /** EPP statuses: clientTransferProhibited, pendingTransfer. */
  readonly locks?: readonly string[];
  readonly nameservers?: readonly string[];
  readonly contacts?: NamecomContacts;
}

/** Prices in US dollars; null if the product is not for sale. */
export interface NamecomPricing {
  readonly premium: boolean;
  readonly purchasePrice: number | null;
  readonly renewalPrice: number | null;
  readonly transferPrice: number | null;
}

export interface NamecomTldPrice {
  readonly tld: string;
  readonly duration: number;
  readonly registrationPrice: number | null;
  readonly renewalPrice: number | null;
  readonly domainRestorationPrice: number | null;
}

export interface NamecomSearchResult {
  readonly domainName: string;
  readonly purchasable: boolean;
  readonly premium?: boolean;
  readonly purchaseType?: string;
  readonly renewalPrice?: number;
}

export interface NamecomOrder {
  readonly id: number;
  readonly createDate?: string;
  readonly status?: string;
  readonly orderItems?: readonly {
    readonly id: number;
    readonly name: string | null;
    readonly type: string;
    readonly status: string;
    readonly price: number;
    readonly isRefundable?: boolean;
  }[];
}

interface NamecomTransfer {
  readonly domainName: string;
  readonly status: string;
}

export interface NamecomDsRecord {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  readonly digest: string;
}

export interface NamecomVanityHost {
  readonly hostname: string;
  readonly ips: readonly string[];
}

export interface NamecomRecord {
  readonly type: string | null;
  readonly ttl: number;
  readonly fqdn?: string;
  readonly host?: string | null;
  readonly answer?: string;
  readonly priority?: number;
}

interface Paged {
  readonly nextPage?: number | null;
}

const NUMBER_OR_NULL = { type: ['number', 'null'] };
const TEXT = { type: 'string' };
const objectOf = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const listOf = (name: string, item: object) => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'array', items: item }, nextPage: { type: ['integer', 'null'] } },
});

const DOMAIN = objectOf({
  domainName: TEXT,
  createDate: TEXT,
  expireDate: { type: ['string', 'null'] },
  autorenewEnabled: { type: 'boolean' },
  locked: { type: 'boolean' },
});
const SIGNER = objectOf({
  keyTag: { type: 'integer' },
  algorithm: { type: 'integer' },
  digestType: { type: 'integer' },
  digest: TEXT,
});
const ORDER_ITEM = objectOf({ id: { type: 'integer' }, type: TEXT, status: TEXT, price: { type: 'number' } });
const ORDER = {
  ...objectOf({ id: { type: 'integer' } }),
  properties: { id: { type: 'integer' }, orderItems: { type: 'array', items: ORDER_ITEM } },
};
const TRANSFER = objectOf({ domainName: TEXT, status: TEXT });
const TLD_PRICE = objectOf({
  tld: TEXT,
  duration: { type: 'integer' },
  registrationPrice: NUMBER_OR_NULL,
  renewalPrice: NUMBER_OR_NULL,
  domainRestorationPrice: NUMBER_OR_NULL,
});

const reader = <T>(schema: object): ResponseReader<T> => responseReader<T>(VENDOR, schema);

/** How each response is read: only what the adapter needs. */
export const READ = {
  domain: reader<NamecomDomain>(DOMAIN),
  domains: reader<Paged & { readonly domains: readonly NamecomDomain[] }>(listOf('domains', DOMAIN)),
  created: reader<{ readonly domain: NamecomDomain; readonly order: number; readonly totalPaid: number }>(
    objectOf({ domain: DOMAIN, order: { type: 'integer' }, totalPaid: { type: 'number' } }),
  ),
  renewed: reader<{ readonly domain?: Partial<NamecomDomain>; readonly totalPaid?: number }>({ type: 'object' }),
  pricing: reader<NamecomPricing>(
    objectOf({
      premium: { type: 'boolean' },
      purchasePrice: NUMBER_OR_NULL,
      renewalPrice: NUMBER_OR_NULL,
      transferPrice: NUMBER_OR_NULL,
    }),
  ),
  tldPrices: reader<Paged & { readonly pricing: readonly NamecomTldPrice[] }>(listOf('pricing', TLD_PRICE)),
  search: reader<{ readonly results?: readonly NamecomSearchResult[] }>({
    type: 'object',
    properties: {
      results: { type: 'array', items: objectOf({ domainName: TEXT, purchasable: { type: 'boolean' } }) },
    },
  }),
  orders: reader<Paged & { readonly orders: readonly NamecomOrder[] }>(listOf('orders', ORDER)),
  refund: reader<{ readonly results: readonly { readonly orderItemStatus: string }[] }>(
    listOf('results', objectOf({ orderItemStatus: TEXT })),
  ),
  authCode: reader<{ readonly authCode: string }>(objectOf({ authCode: { type: 'string', minLength: 1 } })),
  transfer: reader<NamecomTransfer>(TRANSFER),
  transferRequested: reader<{ readonly transfer: NamecomTransfer; readonly totalPaid: number }>(
    objectOf({ transfer: TRANSFER, totalPaid: { type: 'number' } }),
  ),
  dsRecords: reader<{ readonly dnssec: readonly NamecomDsRecord[] }>(listOf('dnssec', SIGNER)),
  vanityHosts: reader<Paged & { readonly vanityNameservers: readonly NamecomVanityHost[] }>(
    listOf('vanityNameservers', objectOf({ hostname: TEXT, ips: { type: 'array', items: TEXT } })),
  ),
  records: reader<Paged & { readonly records: readonly NamecomRecord[] }>(
    listOf('records', objectOf({ ttl: { type: 'integer' } })),
  ),
  balance: reader<{ readonly balance: number }>(objectOf({ balance: { type: 'number' } })),
  hello: reader<{ readonly username: string; readonly serverTime: string }>(
    objectOf({ username: TEXT, serverTime: TEXT }),
  ),
  nothing: (): void => undefined,
} as const;

interface NamecomClientSettings {
  readonly url: string;
  readonly username: string;
  readonly token: string;
  readonly timeoutMs: number;
}

/** name.com CORE API over HTTPS with basic authentication. */
export class NamecomClient {
  private readonly http: JsonClient;

  constructor({ url, username, token, timeoutMs }: NamecomClientSettings) {
    const credentials = Buffer.from(`${username}:${token}`).toString('base64');
    this.http = new JsonClient({ vendor: VENDOR, url, timeoutMs, headers: { Authorization: `Basic ${credentials}` } });
  }

  /** Paths are relative to `/core/v1`. @throws NamecomError, RegistryUnavailable */
  async send<T>(read: ResponseReader<T>, request: JsonRequest): Promise<T> {
    const { status, body } = await this.http.send({ ...request, path: `/core/v1${request.path}` });
    if (status >= 400) throw new NamecomError(status, messageOf(body));
    return read(body);
  }
}

function messageOf(body: unknown): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof message === 'string' ? message.slice(0, 200) : '';
}
