import { responseReader } from '../../../adapter';

export const VENDOR = 'DNSimple';

export interface DnsimpleDomain {
  readonly id: number;
  readonly name: string;
  /** `hosted`: DNSimple serves its zone. A registration or a transfer may be running. */
  readonly state: 'hosted' | 'registered' | 'expired';
  readonly registrant_id?: number | null;
  readonly auto_renew: boolean;
  readonly expires_at?: string | null;
  readonly created_at: string;
}

/** Amounts in US dollars, for one year. */
export interface DnsimplePrices {
  readonly premium: boolean;
  readonly registration_price: number;
  readonly renewal_price: number;
  readonly restore_price?: number | null;
  readonly transfer_price?: number | null;
}

export interface DnsimpleContactData {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly phone: string;
  readonly address1: string;
  readonly address2?: string | null;
  readonly city: string;
  readonly state_province: string;
  readonly postal_code: string;
  readonly country: string;
  readonly organization_name?: string;
  readonly job_title?: string;
}

export interface DnsimpleContact extends DnsimpleContactData {
  readonly id: number;
}

/** A registration, transfer, renewal or restore. */
export interface DnsimpleOrder {
  readonly id: number;
  readonly state: string;
  readonly created_at: string;
}

/** An invoice. `product_id` of its items is the id of a registration, renewal, restore or transfer. */
export interface DnsimpleCharge {
  readonly items: readonly {
    readonly product_id?: number | null;
    readonly product_type: string;
    /** The name. */
    readonly product_reference?: string | null;
  }[];
}

/** The data of a DS record; `public_key` if the registry takes keys. */
export interface DnsimpleDelegationSignerData {
  readonly algorithm: string;
  readonly digest?: string | null;
  readonly digest_type?: string | null;
  readonly keytag?: string | null;
  readonly public_key?: string | null;
}

export interface DnsimpleDelegationSigner extends DnsimpleDelegationSignerData {
  readonly id: number;
}

export interface Login {
  readonly email?: string | null;
}

export interface DnsimplePage<T> {
  readonly data: readonly T[];
  readonly next?: number;
}

const TEXT = { type: 'string' } as const;
const ID = { type: 'integer' } as const;
const INSTANT = { type: 'string', minLength: 10 } as const;
const AMOUNT = { type: 'number', minimum: 0 } as const;
const OPTIONAL_TEXT = { type: ['string', 'null'] } as const;
const OPTIONAL_AMOUNT = { type: ['number', 'null'], minimum: 0 } as const;

const DOMAIN = object(['id', 'name', 'state', 'auto_renew', 'created_at'], {
  id: ID,
  name: TEXT,
  state: { enum: ['hosted', 'registered', 'expired'] },
  registrant_id: { type: ['integer', 'null'] },
  auto_renew: { type: 'boolean' },
  expires_at: OPTIONAL_TEXT,
  created_at: INSTANT,
});
const CONTACT = object(['id', 'first_name', 'last_name', 'email', 'phone', 'address1', 'city', 'country'], {
  id: ID,
  first_name: TEXT,
  last_name: TEXT,
  email: TEXT,
  phone: TEXT,
  address1: TEXT,
  city: TEXT,
  country: TEXT,
  state_province: OPTIONAL_TEXT,
  postal_code: OPTIONAL_TEXT,
});
const ORDER = object(['id', 'state', 'created_at'], { id: ID, state: TEXT, created_at: INSTANT });
const CHARGE = object(['items'], {
  items: {
    type: 'array',
    items: object(['product_type'], {
      product_id: { type: ['integer', 'null'] },
      product_type: TEXT,
      product_reference: OPTIONAL_TEXT,
    }),
  },
});
const SIGNER = object(['id', 'algorithm'], {
  id: ID,
  algorithm: TEXT,
  digest: OPTIONAL_TEXT,
  digest_type: OPTIONAL_TEXT,
  keytag: OPTIONAL_TEXT,
  public_key: OPTIONAL_TEXT,
});

/** Reads responses leniently: what the adapter needs, and no more. */
export const READ = {
  whoami: responseReader<{ readonly account?: Login | null; readonly user?: Login | null }>(VENDOR, { type: 'object' }),
  available: responseReader<{ available: boolean }>(VENDOR, object(['available'], { available: { type: 'boolean' } })),
  prices: responseReader<DnsimplePrices>(
    VENDOR,
    object(['premium', 'registration_price', 'renewal_price'], {
      premium: { type: 'boolean' },
      registration_price: AMOUNT,
      renewal_price: AMOUNT,
      restore_price: OPTIONAL_AMOUNT,
      transfer_price: OPTIONAL_AMOUNT,
    }),
  ),
  domain: responseReader<DnsimpleDomain>(VENDOR, DOMAIN),
  domains: responseReader<DnsimpleDomain[]>(VENDOR, { type: 'array', items: DOMAIN }),
  contact: responseReader<DnsimpleContact>(VENDOR, CONTACT),
  order: responseReader<DnsimpleOrder>(VENDOR, ORDER),
  charges: responseReader<DnsimpleCharge[]>(VENDOR, { type: 'array', items: CHARGE }),
  hosts: responseReader<string[]>(VENDOR, { type: 'array', items: TEXT }),
  lock: responseReader<{ enabled: boolean }>(VENDOR, object(['enabled'], { enabled: { type: 'boolean' } })),
  dsRecords: responseReader<DnsimpleDelegationSigner[]>(VENDOR, { type: 'array', items: SIGNER }),
  tld: responseReader<{ dnssec_interface_type?: string | null }>(
    VENDOR,
    object([], { dnssec_interface_type: OPTIONAL_TEXT }),
  ),
  zoneFile: responseReader<{ zone: string }>(VENDOR, object(['zone'], { zone: TEXT })),
  nothing: () => undefined,
};

function object(required: readonly string[], properties: object): object {
  return { type: 'object', required, properties };
}
