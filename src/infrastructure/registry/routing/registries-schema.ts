import { CDS_POLICIES, type CdsPolicy } from '../../../domain/dns/dnssec/parent/cds-scan';

/** JSON Schema of the registries file. `readRegistries` checks the rules that span several settings. */
export const RANGE = {
  type: 'object',
  additionalProperties: false,
  required: ['min', 'max'],
  properties: {
    min: { type: 'integer', minimum: 0, maximum: 100 },
    max: { type: 'integer', minimum: 1, maximum: 100 },
  },
} as const;

export const DAYS = { type: 'integer', minimum: 0, maximum: 1_000 } as const;
/** `readRegistries` checks the number of decimals, which depends on the currency. */
const AMOUNT = {
  type: ['number', 'string'],
  pattern: String.raw`^\d{1,9}(\.\d+)?$`,
  minimum: 0,
  maximum: 999_999_999,
} as const;

/** Fees of whole terms, by years. */
const TERM_FEES = {
  type: 'object',
  additionalProperties: false,
  patternProperties: { '^([1-9]|10)$': AMOUNT },
} as const;

export const PRICES_SCHEMA = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    required: ['registration', 'renewal'],
    properties: {
      registration: AMOUNT,
      renewal: AMOUNT,
      restore: AMOUNT,
      registration_terms: TERM_FEES,
      renewal_terms: TERM_FEES,
    },
  },
} as const;

const RULES = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    properties: {
      years: RANGE,
      renewal_years: RANGE,
      nameservers: RANGE,
      cds: { enum: CDS_POLICIES },
      periods: {
        type: 'object',
        additionalProperties: false,
        properties: {
          add_grace: DAYS,
          auto_renew_grace: DAYS,
          renewal_grace: DAYS,
          redemption: DAYS,
          pending_delete: DAYS,
          transfer: DAYS,
          auth_code: DAYS,
        },
      },
    },
  },
} as const;

const SECONDS = { type: 'number', exclusiveMinimum: 0, maximum: 600 } as const;

export const REGISTRY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['adapter', 'tlds'],
  properties: {
    adapter: { type: 'string', minLength: 1 },
    settings: { type: 'object' },
    tlds: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: {
        type: 'string',
        pattern: '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)*[a-z0-9][a-z0-9-]*[a-z0-9]$',
        maxLength: 253,
      },
    },
    rules: RULES,
    prices: { type: ['string', 'object'], minLength: 1 },
    accounts: { type: 'array', uniqueItems: true, items: { type: 'string', pattern: '^acc_[0-9a-z]{1,36}$' } },
    concurrency: { type: 'integer', minimum: 1, maximum: 1_000 },
    queue: { type: 'integer', minimum: 0, maximum: 100_000 },
    per_second: { type: 'integer', minimum: 1, maximum: 100_000 },
    query_seconds: SECONDS,
    command_seconds: SECONDS,
    failures: { type: 'integer', minimum: 1, maximum: 1_000 },
    retry_after_seconds: SECONDS,
    read_lag_seconds: { type: 'integer', minimum: 0, maximum: 3_600 },
  },
} as const;

/** The file without its registries, each of which is validated on its own. */
export const REGISTRIES_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['registries'],
  properties: { registries: { type: 'object', minProperties: 1, additionalProperties: { type: 'object' } } },
} as const;

interface Range {
  readonly min: number;
  readonly max: number;
}

type Amount = number | string;

export interface WrittenPrice {
  readonly registration: Amount;
  readonly renewal: Amount;
  readonly restore?: Amount;
  readonly registration_terms?: Readonly<Record<string, Amount>>;
  readonly renewal_terms?: Readonly<Record<string, Amount>>;
}

export type WrittenPrices = Readonly<Record<string, WrittenPrice>>;

export interface WrittenRules {
  readonly years?: Range;
  readonly renewal_years?: Range;
  readonly nameservers?: Range;
  readonly cds?: CdsPolicy;
  readonly periods?: Readonly<
    Partial<
      Record<
        'add_grace' | 'auto_renew_grace' | 'renewal_grace' | 'redemption' | 'pending_delete' | 'transfer' | 'auth_code',
        number
      >
    >
  >;
}

/** A value that `REGISTRY_SCHEMA` accepts. */
export interface WrittenRegistry {
  readonly adapter: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly tlds: readonly string[];
  readonly rules?: Readonly<Record<string, WrittenRules>>;
  /** Prices, or the path of a file with the same content. */
  readonly prices?: WrittenPrices | string;
  readonly accounts?: readonly string[];
  readonly concurrency?: number;
  readonly queue?: number;
  readonly per_second?: number;
  readonly query_seconds?: number;
  readonly command_seconds?: number;
  readonly failures?: number;
  readonly retry_after_seconds?: number;
  readonly read_lag_seconds?: number;
}

export interface WrittenRegistries {
  readonly registries: Readonly<Record<string, object>>;
}
