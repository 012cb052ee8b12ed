import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  RecordedVendor,
  type VendorHandler,
  type VendorRequest,
  type VendorResponse,
} from '../../../src/testing/vendor/recorded-vendor';
import type { VendorCommands } from '../../../src/testing/vendor/vendor-controls';
import type { OpenApiDocument } from '../../../src/testing/vendor/vendor-document';
import type {
  VendorDomain,
  VendorLedgerEntry,
  VendorState,
  VendorTransfer,
} from '../../../src/testing/vendor/vendor-state';
import { addDays, addYears } from '../../../src/domain/shared/time/calendar';

const DOCUMENT = JSON.parse(
  readFileSync(join(__dirname, '../../fixtures/registrars/namecom/openapi.json'), 'utf8'),
) as OpenApiDocument;
const ADD_GRACE_DAYS = 5;
const MAX_YEARS = 10;

export const NAMECOM_CREDENTIALS = { username: 'acme-test', token: 'a-token-for-tests' };
const AUTHORIZATION = `Basic ${Buffer.from(`${NAMECOM_CREDENTIALS.username}:${NAMECOM_CREDENTIALS.token}`).toString('base64')}`;

/** In cents. The first year is cheaper, so that fees of several years are not a multiple of it. */
export const NAMECOM_FEES = { firstYear: 999, year: 1399, transfer: 1399, restore: 8000, premium: 250_00 };
const registrationFee = (name: string, years: number) =>
  (isPremium(name) ? NAMECOM_FEES.premium : NAMECOM_FEES.firstYear) + (years - 1) * NAMECOM_FEES.year;
const renewalFee = (years: number) => years * NAMECOM_FEES.year;
const dollars = (cents: number) => cents / 100;
const isPremium = (name: string) => name.startsWith('premium-');

/** The operations of the commands, for `vendorControls`. */
export const NAMECOM_COMMANDS: VendorCommands = {
  register: ['CreateDomain'],
  renew: ['RenewDomain'],
  setNameservers: ['SetNameservers'],
  setRegistrant: ['SetContacts'],
  setTransferLock: ['UpdateDomain'],
  issueAuthCode: ['GetAuthCodeForDomain'],
  delete: ['ProcessRefund'],
  requestTransfer: ['CreateTransfer'],
  cancelTransfer: ['CancelTransfer'],
  setDsRecords: ['CreateDNSSEC', 'DeleteDNSSEC'],
};

/** A stand-in for name.com's CORE API. */
export function namecomServer(state?: VendorState): RecordedVendor {
  return new RecordedVendor({
    document: DOCUMENT,
    handlers: HANDLERS,
    isAuthenticated: ({ authorization }) => authorization === AUTHORIZATION,
    idempotencyHeader: 'x-idempotency-key',
    validateResponses: true,
    nameOf: (request, { ledger }) =>
      ledger.find(({ id }) => id === (request.body as { orderId?: number } | undefined)?.orderId)?.name,
    ...(state && { state }),
  });
}

const rejected = (status: number, message: string): VendorResponse => ({ status, body: { message } });
const NOT_FOUND = rejected(404, 'Not Found');
const time = (date: Date) => `${date.toISOString().slice(0, 19)}Z`;
const nameIn = ({ path }: VendorRequest) => (path['domainName'] ?? '').toLowerCase();

/** A handler of a request about a name that the account holds. */
function ofHeld(
  handle: (domain: VendorDomain, request: VendorRequest, state: VendorState) => VendorResponse,
): VendorHandler {
  return (request, { state }) => {
    const domain = state.held(nameIn(request));
    return domain ? handle(domain, request, state) : NOT_FOUND;
  };
}

function payload(domain: VendorDomain, state: VendorState) {
  const isLeaving = state.transferOf(domain.name, 'out')?.status === 'pending';
  return {
    domainName: domain.name,
    createDate: time(domain.createdAt),
    expireDate: time(domain.expiresAt),
    autorenewEnabled: domain.autoRenew,
    locked: domain.locked,
    locks: [...(domain.locked ? ['clientTransferProhibited'] : []), ...(isLeaving ? ['pendingTransfer'] : [])],
    privacyEnabled: false,
    contacts: domain.contacts ?? {},
    nameservers: domain.nameservers,
    renewalPrice: dollars(renewalFee(1)),
  };
}

const shown = (domain: VendorDomain, state: VendorState): VendorResponse => ({
  status: 200,
  body: payload(domain, state),
});

function orderOf(entry: VendorLedgerEntry, state: VendorState) {
  const domain = state.held(entry.name);
  const isYoung = state.now() < addDays(entry.at, ADD_GRACE_DAYS);
  const status = { open: 'initialized', completed: 'success', failed: 'failed', refunded: 'refunded' }[entry.status];
  return {
    id: entry.id,
    createDate: time(entry.at),
    status: status === 'refunded' ? 'success' : status,
    currency: 'USD',
    finalAmount: dollars(entry.amount),
    orderItems: [
      {
        id: entry.id + 500_000,
        name: entry.name,
        type: entry.kind,
        duration: entry.years,
        interval: 'year',
        quantity: 1,
        originalPrice: dollars(entry.amount),
        price: dollars(entry.amount),
        status,
        isRefundable: entry.kind === 'registration' && entry.status === 'completed' && isYoung && domain !== undefined,
      },
    ],
  };
}

/** One page of `all`, with the counters of name.com's lists. */
function page(
  name: string,
  all: readonly unknown[],
  { query }: VendorRequest,
  perPageByDefault: number,
): VendorResponse {
  const perPage = Number(query.get('perPage') ?? perPageByDefault);
  const number = Number(query.get('page') ?? 1);
  const start = (number - 1) * perPage;
  const items = all.slice(start, start + perPage);
  const lastPage = Math.max(1, Math.ceil(all.length / perPage));
  const isLast = number >= lastPage;
  return {
    status: 200,
    body: {
      [name]: items,
      from: start + 1,
      to: start + items.length,
      totalCount: all.length,
      ...(!isLast && { nextPage: number + 1, lastPage }),
    },
  };
}

const createDomain: VendorHandler = (request, { state }) => {
  const body = request.body as {
    domain: Partial<ReturnType<typeof payload>> & { domainName: string };
    years?: number;
    purchasePrice?: number;
  };
  const { years = 1, purchasePrice, domain: asked } = body;
  const name = asked.domainName.toLowerCase();
  const amount = registrationFee(name, years);
  if (state.domains.has(name)) return rejected(400, 'Domain is not available');
  if (years < 1 || years > MAX_YEARS) return rejected(400, 'Invalid years');
  if (isPremium(name) && purchasePrice === undefined) return rejected(400, 'Purchase price is required');
  if (purchasePrice !== undefined && purchasePrice !== dollars(amount)) return rejected(400, 'Price does not match');
  if (state.balance < amount) return rejected(402, 'Insufficient Funds');
  const domain = state.addDomain(name, years, {
    nameservers: [...(asked.nameservers ?? ['ns1.name.com', 'ns2.name.com'])],
    locked: asked.locked ?? true,
    autoRenew: asked.autorenewEnabled ?? true,
    contacts: withVerification(asked.contacts ?? {}),
  });
  const { id } = state.charge({ kind: 'registration', name, years, amount });
  return { status: 200, body: { domain: payload(domain, state), order: id, totalPaid: dollars(amount) } };
};

function withVerification(contacts: object): object {
  return Object.fromEntries(
    Object.entries(contacts).map(([role, contact]) => [role, { ...contact, isVerified: false }]),
  );
}

const renewDomain = ofHeld((domain, request, state) => {
  const { years = 1, purchasePrice } = request.body as { years?: number; purchasePrice?: number };
  const amount = renewalFee(years);
  const expiresAt = addYears(domain.expiresAt, years);
  if (years < 1 || expiresAt > addYears(state.now(), MAX_YEARS)) return rejected(400, 'Invalid years');
  if (purchasePrice !== undefined && purchasePrice !== dollars(amount)) return rejected(400, 'Price does not match');
  if (state.transferOf(domain.name, 'out')?.status === 'pending') return rejected(400, 'Domain status prohibits it');
  if (state.balance < amount) return rejected(402, 'Insufficient Funds');
  domain.expiresAt = expiresAt;
  const { id } = state.charge({ kind: 'renewal', name: domain.name, years, amount });
  return { status: 200, body: { domain: payload(domain, state), order: id, totalPaid: dollars(amount) } };
});

const processRefund: VendorHandler = (request, { state }) => {
  const { orderId, orderItemIds } = request.body as { orderId: number; orderItemIds: readonly number[] };
  const entry = state.ledger.find(({ id }) => id === orderId);
  const [item] = entry ? orderOf(entry, state).orderItems : [];
  if (!entry || !item || orderItemIds[0] !== item.id) return NOT_FOUND;
  if (entry.status === 'refunded') return rejected(400, 'already refunded');
  if (!item.isRefundable) return rejected(423, 'Resource Locked');
  state.domains.delete(entry.name);
  state.refund(entry);
  const result = { orderId, orderItemId: item.id, orderItemStatus: 'refunded', refundAmount: dollars(entry.amount) };
  return { status: 200, body: { results: [result], totalRefundAmount: dollars(entry.amount) } };
};

const TRANSFER_STATUS = { pending: 'pending', completed: 'completed', rejected: 'rejected', cancelled: 'canceled' };
const transferOf = ({ name, status }: VendorTransfer) => ({ domainName: name, status: TRANSFER_STATUS[status] });

const createTransfer: VendorHandler = (request, { state }) => {
  const { domainName, authCode } = request.body as { domainName: string; authCode: string };
  const domain = state.domains.get(domainName);
  if (!domain) return rejected(400, 'Domain is not registered');
  if (domain.held || domain.locked || state.transferOf(domainName, 'in')?.status === 'pending')
    return rejected(409, 'The status of the domain prohibits a transfer');
  if (domain.authCode !== authCode) return rejected(400, 'Invalid auth code');
  if (state.balance < NAMECOM_FEES.transfer) return rejected(402, 'Insufficient Funds');
  const order = state.charge({
    kind: 'transfer',
    name: domainName,
    years: 1,
    amount: NAMECOM_FEES.transfer,
    status: 'open',
  });
  const transfer = state.startTransfer(domainName, 'in', order.id);
  return {
    status: 200,
    body: { transfer: transferOf(transfer), order: order.id, totalPaid: dollars(NAMECOM_FEES.transfer) },
  };
};

const getTransfer: VendorHandler = (request, { state }) => {
  const transfer = state.transferOf(nameIn(request), 'in');
  return transfer ? { status: 200, body: transferOf(transfer) } : NOT_FOUND;
};

const cancelTransfer: VendorHandler = (request, { state }) => {
  const transfer = state.transferOf(nameIn(request), 'in');
  if (!transfer) return NOT_FOUND;
  if (transfer.status === 'cancelled') return rejected(400, 'already cancelled');
  if (transfer.status !== 'pending') return rejected(409, 'cannot be cancelled');
  state.endTransfer(transfer, 'cancelled');
  return { status: 200, body: transferOf(transfer) };
};

const checkAvailability: VendorHandler = (request, { state }) => {
  const { domainNames } = request.body as { domainNames: readonly string[] };
  const results = domainNames.map((domainName) => {
    const dot = domainName.indexOf('.');
    const purchasable = !state.domains.has(domainName);
    return {
      domainName,
      sld: domainName.slice(0, dot),
      tld: domainName.slice(dot + 1),
      purchasable,
      ...(purchasable && {
        premium: isPremium(domainName),
        purchaseType: 'registration',
        purchasePrice: dollars(registrationFee(domainName, 1)),
        renewalPrice: dollars(renewalFee(1)),
      }),
    };
  });
  // The document: the order of the results is not to be relied upon.
  return { status: 200, body: { results: results.toReversed() } };
};

const tldPriceList: VendorHandler = ({ query }) => {
  const duration = Number(query.get('duration') ?? 1);
  const pricing = query.getAll('tlds').map((tld) => {
    const prices = {
      registration: dollars(registrationFee('', duration)),
      renewal: dollars(renewalFee(duration)),
      domainRestoration: dollars(NAMECOM_FEES.restore),
      transferIn: dollars(NAMECOM_FEES.transfer),
    };
    const fields = Object.entries(prices).flatMap(([name, price]) =>
      ['Price', 'RetailPrice', 'OriginalPrice'].map((kind) => [`${name}${kind}`, price] as const),
    );
    return { tld, duration, ...Object.fromEntries(fields) };
  });
  return {
    status: 200,
    body: { pricing, from: 1, to: pricing.length, totalCount: pricing.length, lastPage: 1, nextPage: null },
  };
};

const HANDLERS: Readonly<Record<string, VendorHandler>> = {
  Hello: (_request, { state }) => ({
    status: 200,
    body: { motd: '', serverName: 'stand-in', serverTime: time(state.now()), username: NAMECOM_CREDENTIALS.username },
  }),
  CheckAccountBalance: (_request, { state }) => ({ status: 200, body: { balance: dollars(state.balance) } }),
  CheckAvailability: checkAvailability,
  TldPriceList: tldPriceList,
  GetPricingForDomain: (request) => {
    const name = nameIn(request);
    const years = Number(request.query.get('years') ?? 1);
    return {
      status: 200,
      body: {
        premium: isPremium(name),
        purchasePrice: dollars(registrationFee(name, years)),
        renewalPrice: dollars(renewalFee(years)),
        transferPrice: dollars(NAMECOM_FEES.transfer),
      },
    };
  },
  CreateDomain: createDomain,
  RenewDomain: renewDomain,
  GetDomain: ofHeld((domain, _request, state) => shown(domain, state)),
  ListDomains: (request, { state }) => {
    const held = [...state.domains.values()].filter((domain) => domain.held);
    const sorted = held.toSorted((left, right) => (left.name < right.name ? -1 : 1));
    const domains = sorted.map((domain) => payload(domain, state));
    return page('domains', domains, request, 250);
  },
  UpdateDomain: ofHeld((domain, request, state) => {
    const { locked, autorenewEnabled } = request.body as { locked?: boolean; autorenewEnabled?: boolean };
    domain.locked = locked ?? domain.locked;
    domain.autoRenew = autorenewEnabled ?? domain.autoRenew;
    return shown(domain, state);
  }),
  SetNameservers: ofHeld((domain, request, state) => {
    const { nameservers } = request.body as { nameservers: string[] };
    const isMissing = (host: string) => host.endsWith(`.${domain.name}`) && !domain.glue.has(host);
    if (nameservers.some(isMissing)) return rejected(400, 'The nameserver does not exist');
    domain.nameservers = nameservers;
    return shown(domain, state);
  }),
  SetContacts: ofHeld((domain, request, state) => {
    domain.contacts = withVerification((request.body as { contacts: object }).contacts);
    return shown(domain, state);
  }),
  GetAuthCodeForDomain: ofHeld(({ authCode }) => ({ status: 200, body: { authCode } })),
  ListOrders: (request, { state }) => {
    const { query } = request;
    const found = state.ledger.filter(
      ({ name, kind }) => name === query.get('domainName') && kind === (query.get('type') ?? kind),
    );
    const sorted = query.get('dir') === 'desc' ? found.toReversed() : found;
    return page(
      'orders',
      sorted.map((entry) => orderOf(entry, state)),
      request,
      500,
    );
  },
  ProcessRefund: processRefund,
  CreateTransfer: createTransfer,
  GetTransfer: getTransfer,
  CancelTransfer: cancelTransfer,
  ListDNSSECs: ofHeld(({ name, dsRecords }) => ({
    status: 200,
    body: { dnssec: dsRecords.map((signer) => ({ domainName: name, ...signer })) },
  })),
  CreateDNSSEC: ofHeld((domain, request) => {
    const signer = request.body as VendorDomain['dsRecords'][number];
    if (domain.dsRecords.some(({ digest }) => digest === signer.digest)) return rejected(409, 'exists');
    domain.dsRecords.push(signer);
    return { status: 200, body: { domainName: domain.name, ...signer } };
  }),
  DeleteDNSSEC: ofHeld((domain, { path }) => {
    const kept = domain.dsRecords.filter(({ digest }) => digest !== path['digest']);
    if (kept.length === domain.dsRecords.length) return NOT_FOUND;
    domain.dsRecords = kept;
    return { status: 204 };
  }),
  ListVanityNameservers: ofHeld(({ name, glue }) => ({
    status: 200,
    body: { vanityNameservers: [...glue].map(([hostname, ips]) => ({ domainName: name, hostname, ips })) },
  })),
  CreateVanityNameserver: ofHeld((domain, request) => {
    const { hostname: label, ips } = request.body as { hostname: string; ips: readonly string[] };
    const hostname = `${label}.${domain.name}`;
    if (domain.glue.has(hostname)) return rejected(409, 'exists');
    domain.glue.set(hostname, ips);
    return { status: 200, body: { domainName: domain.name, hostname, ips } };
  }),
  UpdateVanityNameserver: ofHeld((domain, request) => {
    const hostname = request.path['hostname'] ?? '';
    if (!domain.glue.has(hostname)) return NOT_FOUND;
    const { ips } = request.body as { ips: readonly string[] };
    domain.glue.set(hostname, ips);
    return { status: 200, body: { domainName: domain.name, hostname, ips } };
  }),
  ListRecords: ofHeld(({ records }, request) => page('records', records, request, 500)),
};
