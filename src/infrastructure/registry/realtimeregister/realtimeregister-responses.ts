import { responseReader } from '../../../adapter';

export const VENDOR = 'Realtime Register';

export interface RtrAvailability {
  readonly available: boolean;
  readonly premium?: boolean | null;
  readonly currency?: string | null;
  /** In cents. */
  readonly price?: number | null;
  /** In cents; of premium names. */
  readonly renewPrice?: number | null;
}

export interface RtrDomain {
  readonly domainName: string;
  /** The handle of its contact. */
  readonly registrant?: string | null;
  readonly status: readonly string[];
  readonly autoRenew: boolean;
  readonly premium: boolean;
  readonly ns: readonly string[];
  readonly createdDate: string;
  readonly updatedDate?: string | null;
  readonly expiryDate: string;
  readonly keyData: readonly RtrKey[];
  readonly dsData: readonly RtrDsRecord[];
}

export interface RtrKey {
  readonly protocol: number;
  readonly flags: number;
  readonly algorithm: number;
  readonly publicKey: string;
}

export interface RtrDsRecord {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  readonly digest: string;
}

export interface RtrContactData {
  readonly name: string;
  readonly organization?: string;
  readonly addressLine: readonly string[];
  readonly postalCode: string;
  readonly city: string;
  readonly state?: string;
  readonly country: string;
  readonly email: string;
  readonly voice: string;
}

/** What an action costs. Its `billables` acknowledge the charge. */
export interface RtrQuote {
  readonly currency?: string | null;
  /** In cents. */
  readonly total: number;
  readonly billables: readonly RtrBillable[];
}

interface RtrBillable {
  readonly product: string;
  readonly action: string;
  readonly quantity?: number;
}

/** In cents, for the shortest period of the product. */
export interface RtrPrice {
  readonly product: string;
  readonly action: string;
  readonly currency: string;
  readonly price: number;
}

/** In cents, without what is reserved. */
export interface RtrCredit {
  readonly currency: string;
  readonly balance: number;
}

/** An action that takes time, or took it. */
export interface RtrProcess {
  readonly id: number;
  readonly status: string;
  /** `create`, `renew`, `transfer`. */
  readonly action: string;
  /** `domain`. */
  readonly type: string;
  /** The domain's name. */
  readonly identifier?: string | null;
  readonly createdDate: string;
}

export interface RtrTransfer {
  readonly status: string;
  readonly type: 'IN' | 'OUT';
  readonly requestedDate: string;
  readonly actionDate?: string | null;
}

export interface RtrNotification {
  readonly id: number;
  readonly fireDate: string;
  readonly message?: string | null;
  readonly domainName?: string | null;
  readonly processType?: string | null;
  readonly processIdentifier?: string | null;
  readonly subjectStatus?: string | null;
  readonly transferType?: string | null;
}

export interface RtrPage<T> {
  readonly entities: readonly T[];
  readonly total: number;
}

/** The body of an action on a domain. */
export type RtrAction = Readonly<Record<string, unknown>>;

const TEXT = { type: 'string' } as const;
const OPTIONAL_TEXT = { type: ['string', 'null'] } as const;
const INTEGER = { type: 'integer' } as const;
const CENTS = { type: 'integer', minimum: 0 } as const;
const TEXTS = { type: 'array', items: TEXT } as const;

const KEY = object(['flags', 'algorithm', 'publicKey'], { flags: INTEGER, algorithm: INTEGER, publicKey: TEXT });
const SIGNER = object(['keyTag', 'algorithm', 'digestType', 'digest'], {
  keyTag: INTEGER,
  algorithm: INTEGER,
  digestType: INTEGER,
  digest: TEXT,
});
const BILLABLE = object(['product', 'action'], { product: TEXT, action: TEXT, quantity: INTEGER });
const QUOTE = object(['total'], {
  currency: OPTIONAL_TEXT,
  total: CENTS,
  billables: { type: 'array', items: BILLABLE },
});
const PROCESS = object(['id', 'status', 'action', 'type', 'createdDate'], {
  id: INTEGER,
  status: TEXT,
  action: TEXT,
  type: TEXT,
  identifier: OPTIONAL_TEXT,
  createdDate: TEXT,
});

/** Reads responses leniently: what the adapter needs, and no more. */
export const READ = {
  availability: responseReader<RtrAvailability>(
    VENDOR,
    object(['available'], {
      available: { type: 'boolean' },
      premium: { type: ['boolean', 'null'] },
      currency: OPTIONAL_TEXT,
      price: { type: ['integer', 'null'], minimum: 0 },
      renewPrice: { type: ['integer', 'null'], minimum: 0 },
    }),
  ),
  domain: responseReader<Partial<RtrDomain> & Pick<RtrDomain, 'domainName' | 'createdDate' | 'expiryDate'>>(
    VENDOR,
    object(['domainName', 'createdDate', 'expiryDate'], {
      domainName: TEXT,
      registrant: OPTIONAL_TEXT,
      status: TEXTS,
      autoRenew: { type: 'boolean' },
      premium: { type: 'boolean' },
      ns: TEXTS,
      createdDate: TEXT,
      updatedDate: OPTIONAL_TEXT,
      expiryDate: TEXT,
      keyData: { type: 'array', items: KEY },
      dsData: { type: 'array', items: SIGNER },
    }),
  ),
  names: responseReader<PageBody<Pick<RtrDomain, 'domainName' | 'expiryDate'>>>(
    VENDOR,
    page(object(['domainName'], { domainName: TEXT, expiryDate: OPTIONAL_TEXT })),
  ),
  contact: responseReader<RtrContactData>(
    VENDOR,
    object(['name', 'addressLine', 'city', 'country', 'email', 'voice'], {
      name: TEXT,
      organization: OPTIONAL_TEXT,
      addressLine: TEXTS,
      postalCode: OPTIONAL_TEXT,
      city: TEXT,
      state: OPTIONAL_TEXT,
      country: TEXT,
      email: TEXT,
      voice: TEXT,
    }),
  ),
  quote: responseReader<{ readonly quote: Omit<RtrQuote, 'billables'> & Partial<RtrQuote> }>(
    VENDOR,
    object(['quote'], { quote: QUOTE }),
  ),
  prices: responseReader<{ readonly prices: readonly RtrPrice[] }>(
    VENDOR,
    object(['prices'], {
      prices: {
        type: 'array',
        items: object(['product', 'action', 'currency', 'price'], {
          product: TEXT,
          action: TEXT,
          currency: TEXT,
          price: CENTS,
        }),
      },
    }),
  ),
  credit: responseReader<{ readonly accounts: readonly RtrCredit[] }>(
    VENDOR,
    object(['accounts'], {
      accounts: { type: 'array', items: object(['currency', 'balance'], { currency: TEXT, balance: INTEGER }) },
    }),
  ),
  processes: responseReader<PageBody<RtrProcess>>(VENDOR, page(PROCESS)),
  transfer: responseReader<RtrTransfer>(
    VENDOR,
    object(['status', 'type', 'requestedDate'], {
      status: TEXT,
      type: { enum: ['IN', 'OUT'] },
      requestedDate: TEXT,
      actionDate: OPTIONAL_TEXT,
    }),
  ),
  poll: responseReader<{ readonly notification?: unknown }>(VENDOR, { type: 'object' }),
  nothing: () => undefined,
};

export interface PageBody<T> {
  readonly entities: readonly T[];
  readonly pagination?: { readonly total?: number };
}

function page(item: object): object {
  return object(['entities'], {
    entities: { type: 'array', items: item },
    pagination: { type: 'object', properties: { total: INTEGER } },
  });
}

function object(required: readonly string[], properties: object): object {
  return { type: 'object', required, properties };
}
