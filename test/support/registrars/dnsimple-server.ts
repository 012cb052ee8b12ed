import {
  RecordedVendor,
  type VendorHandler,
  type VendorRequest,
  type VendorResponse,
} from '../../../src/testing/vendor/recorded-vendor';
import type { VendorCommands } from '../../../src/testing/vendor/vendor-controls';
import type { VendorDomain } from '../../../src/testing/vendor/vendor-state';
import { dnsimpleDocument, dnsimpleRecordings } from './dnsimple-document';

export const DNSIMPLE_CREDENTIALS = { account: 1010, token: 'a-token-of-the-stand-in' };
/** Its scopes lack `billing:*:read`. */
export const DNSIMPLE_TOKEN_WITHOUT_INVOICES = 'a-token-without-invoices';
const TOKENS = [DNSIMPLE_CREDENTIALS.token, DNSIMPLE_TOKEN_WITHOUT_INVOICES];
/** In cents, for one year. Names that start with `premium` cost ten times as much. */
export const DNSIMPLE_FEES = { registration: 1_400, renewal: 1_600, transfer: 1_500, restore: 8_000 };
const OWN_HOSTS = ['ns1.dnsimple.com', 'ns2.dnsimple.com', 'ns3.dnsimple.com', 'ns4.dnsimple.com'];
/** TLDs whose registries take keys instead of DS records. */
const KEY_TLDS: ReadonlySet<string> = new Set(['nl']);
const PER_PAGE = 3;
const NO_ORGANIZATION = { organization_name: '', job_title: '' };

export const DNSIMPLE_COMMANDS: VendorCommands = {
  register: ['registerDomain'],
  renew: ['domainRenew'],
  setNameservers: ['changeDomainDelegation'],
  setRegistrant: ['createRegistrantChange'],
  setTransferLock: ['enableDomainTransferLock', 'disableDomainTransferLock'],
  restore: ['domainRestore'],
  requestTransfer: ['transferDomain'],
  cancelTransfer: ['cancelDomainTransfer'],
  setDsRecords: ['createDomainDelegationSignerRecord', 'deleteDomainDelegationSignerRecord'],
};

const HOSTED = { state: 'hosted', expires_at: null, expires_on: null };
/** How long a registration of a name that starts with `slow` takes. */
const SLOW_MS = 3_600_000;

interface Signer {
  readonly id: number;
  readonly algorithm: string;
  readonly digest?: string;
  readonly digest_type?: string;
  readonly keytag?: string;
  readonly public_key?: string;
}

/** Renewals of names that start with `later` take this long. */
const RENEWAL_MS = 3_600_000;

/** An item of an invoice. */
interface Charge {
  readonly productId: number;
  readonly productType: string;
  readonly name: string;
  /** In cents. */
  readonly amount: number;
  readonly at: Date;
}

/** A renewal, restore or transfer. */
interface Order {
  readonly id: number;
  state: string;
  readonly createdAt: Date;
}

/** A stand-in for DNSimple: its document, its recorded responses, and a state. */
export function dnsimpleServer(): RecordedVendor {
  const signers = new Map<string, Signer[]>();
  const orders = new Map<number, Order>();
  const charges: Charge[] = [];
  /** Renewals that have not taken effect. */
  const renewals: (() => boolean)[] = [];

  const vendor = new RecordedVendor({
    document: dnsimpleDocument(),
    recordings: dnsimpleRecordings(),
    isAuthenticated: ({ authorization }) => TOKENS.some((token) => authorization === `Bearer ${token}`),
    handlers: {
      checkDomain: (request) => data('checkDomain', 200, { domain: nameOf(request), available: isFree(request) }),
      getDomainPrices: (request) => {
        const factor = isPremium(request) ? 10 : 1;
        return data('getDomainPrices', 200, {
          domain: nameOf(request),
          premium: isPremium(request),
          registration_price: (DNSIMPLE_FEES.registration * factor) / 100,
          renewal_price: (DNSIMPLE_FEES.renewal * factor) / 100,
          transfer_price: (DNSIMPLE_FEES.transfer * factor) / 100,
          restore_price: DNSIMPLE_FEES.restore / 100,
        });
      },
      listDomains: ({ query }) => {
        const all = [...vendor.state.domains.values()].filter(({ held }) => held);
        return pageOf(all.map(wireDomain), query, 'listDomains');
      },
      getDomain: (request) => {
        completeRenewals();
        const domain = vendor.state.domains.get(nameOf(request));
        const transfer = vendor.state.transferOf(nameOf(request), 'in');
        if (domain?.held === true) return data('getDomain', 200, wireDomain(domain));
        if (domain && transfer?.status === 'pending')
          return data('getDomain', 200, { ...wireDomain(domain), ...HOSTED, created_at: transfer.requestedAt });
        return notFound('Domain');
      },
      createContact: ({ body }) => {
        const id = vendor.state.nextId();
        vendor.state.contacts.set(id, { ...NO_ORGANIZATION, ...(body as object) });
        return data('createContact', 201, { id, ...(body as object) });
      },
      getContact: ({ path }) => {
        const contact = vendor.state.contacts.get(Number(path['contact']));
        if (!contact) return notFound('Contact');
        const { body } = vendor.recorded('createContact', 201, { data: { id: Number(path['contact']), ...contact } });
        return { status: 200, body };
      },
      deleteContact: ({ path }) =>
        vendor.state.contacts.delete(Number(path['contact'])) ? { status: 204 } : notFound('Contact'),
      registerDomain: (request) => {
        if (!isFree(request)) return badRequest(`The domain ${nameOf(request)} is not available`);
        const rejection = purchaseRejection(request, DNSIMPLE_FEES.registration);
        if (rejection) return rejection;
        const { registrant_id: registrant, auto_renew: autoRenew } = bodyOf(request);
        const { id } = vendor.state.addDomain(nameOf(request), 1, {
          nameservers: OWN_HOSTS,
          contacts: registrant,
          autoRenew: autoRenew === true,
        });
        vendor.state.charge({
          kind: 'registration',
          name: nameOf(request),
          years: 1,
          amount: feeOf(request, DNSIMPLE_FEES.registration),
        });
        return order('registerDomain', 'registered', { domain_id: id, registrant_id: registrant });
      },
      domainRenew: held((request, domain) => {
        const years = Number(bodyOf(request)['period']);
        if (years < 1 || years > 9 || yearsAhead(domain) + years > 10) return badRequest('Invalid period');
        const rejection = purchaseRejection(request, DNSIMPLE_FEES.renewal * years);
        if (rejection) return rejection;
        const amount = feeOf(request, DNSIMPLE_FEES.renewal * years);
        vendor.state.charge({ kind: 'renewal', name: domain.name, years, amount });
        const isSlow = domain.name.startsWith('later');
        const response = order('domainRenew', isSlow ? 'renewing' : 'renewed', { domain_id: domain.id, period: years });
        const renewal = [...orders.values()].at(-1) as Order;
        charge(renewal.id, 'domain-renewal', domain.name, amount);
        renewals.push(() => {
          if (isSlow && vendor.state.now().getTime() < renewal.createdAt.getTime() + RENEWAL_MS) return false;
          domain.expiresAt = new Date(domain.expiresAt);
          domain.expiresAt.setUTCFullYear(domain.expiresAt.getUTCFullYear() + years);
          renewal.state = 'renewed';
          return true;
        });
        completeRenewals();
        return response;
      }),
      getDomainRenewal: ({ path }) => orderOf('getDomainRenewal', path['domainrenewal']),
      listCharges: ({ query, headers }) => {
        if (headers.authorization === `Bearer ${DNSIMPLE_TOKEN_WITHOUT_INVOICES}`)
          return vendor.recorded('listCharges', 403);
        const since = new Date(query.get('start_date') ?? 0);
        return pageOf(
          charges
            .filter(({ at }) => at >= since)
            .map(wireCharge)
            .toReversed(),
          query,
          'listCharges',
        );
      },
      domainRestore: held((_request, domain) => {
        if (domain.expiresAt > vendor.state.now()) return badRequest('The domain cannot be restored');
        const isSlow = domain.name.startsWith('later');
        const response = order('domainRestore', isSlow ? 'restoring' : 'restored', { domain_id: domain.id });
        const restore = [...orders.values()].at(-1) as Order;
        const amount = DNSIMPLE_FEES.restore + DNSIMPLE_FEES.renewal;
        vendor.state.charge({ kind: 'restore', name: domain.name, years: 1, amount });
        charge(restore.id, 'domain-restore', domain.name, amount);
        renewals.push(() => {
          if (isSlow && vendor.state.now().getTime() < restore.createdAt.getTime() + RENEWAL_MS) return false;
          domain.expiresAt = new Date(vendor.state.now());
          domain.expiresAt.setUTCFullYear(domain.expiresAt.getUTCFullYear() + 1);
          restore.state = 'restored';
          return true;
        });
        completeRenewals();
        return response;
      }),
      getDomainRestore: ({ path }) => orderOf('domainRestore', path['domainrestore']),
      transferDomain: (request) => {
        const domain = vendor.state.domains.get(nameOf(request));
        if (!domain) return badRequest('The domain is not registered');
        if (domain.held) return vendor.recorded('transferDomain', 400);
        if (domain.locked || vendor.state.transferOf(domain.name, 'in')?.status === 'pending')
          return badRequest('The domain cannot be transferred');
        if (bodyOf(request)['auth_code'] !== domain.authCode)
          return badRequest('Validation failed', { auth_code: ['is invalid'] });
        const rejection = purchaseRejection(request, DNSIMPLE_FEES.transfer);
        if (rejection) return rejection;
        const { id: orderId } = vendor.state.charge({
          kind: 'transfer',
          name: domain.name,
          years: 1,
          amount: feeOf(request, DNSIMPLE_FEES.transfer),
        });
        const transfer = vendor.state.startTransfer(domain.name, 'in', orderId);
        charge(transfer.id, 'domain-transfer', domain.name, feeOf(request, DNSIMPLE_FEES.transfer));
        const registrant = bodyOf(request)['registrant_id'];
        domain.contacts = registrant;
        return data('transferDomain', 201, { ...wireTransfer(transfer.id), registrant_id: registrant });
      },
      getDomainTransfer: ({ path }) => {
        const transfer = vendor.state.transfers.find(({ id }) => id === Number(path['domaintransfer']));
        if (!transfer) return notFound('Transfer');
        return { ...data('transferDomain', 201, wireTransfer(transfer.id)), status: 200 };
      },
      cancelDomainTransfer: ({ path }) => {
        const transfer = vendor.state.transfers.find(({ id }) => id === Number(path['domaintransfer']));
        if (transfer?.status !== 'pending') return badRequest('The transfer cannot be cancelled');
        transfer.status = 'cancelled';
        const charge = vendor.state.ledger.find(({ id }) => id === transfer.orderId);
        if (charge) vendor.state.refund(charge);
        return data('cancelDomainTransfer', 202, { id: transfer.id });
      },
      getDomainDelegation: held((_request, { nameservers }) => data('getDomainDelegation', 200, nameservers)),
      changeDomainDelegation: held(({ body }, domain) => {
        domain.nameservers = (body as readonly string[]).map((host) => host.toLowerCase());
        return { ...data('changeDomainDelegation', 200, domain.nameservers), status: 200 };
      }),
      getDomainTransferLock: held((_request, { locked }) => data('getDomainTransferLock', 200, { enabled: locked })),
      enableDomainTransferLock: held((_request, domain) => {
        domain.locked = true;
        return data('enableDomainTransferLock', 201, { enabled: true });
      }),
      disableDomainTransferLock: held((_request, domain) => {
        domain.locked = false;
        return data('disableDomainTransferLock', 200, { enabled: false });
      }),
      enableDomainAutoRenewal: held((_request, domain) => {
        domain.autoRenew = true;
        return { status: 204 };
      }),
      disableDomainAutoRenewal: held((_request, domain) => {
        domain.autoRenew = false;
        return { status: 204 };
      }),
      createRegistrantChange: (request) => {
        const { domain_id: name, contact_id: contact } = bodyOf(request);
        const domain = vendor.state.held(String(name));
        if (!domain || !vendor.state.contacts.has(Number(contact))) return badRequest('Validation failed');
        domain.contacts = contact;
        const { body } = data('createRegistrantChange', 200, { domain_id: domain.id, contact_id: contact });
        return { status: 202, body };
      },
      listDomainDelegationSignerRecords: held(({ query }, { name }) =>
        pageOf((signers.get(name) ?? []).map(wireDsRecord), query, 'listDomainDelegationSignerRecords'),
      ),
      createDomainDelegationSignerRecord: held((request, { name }) => {
        const signer = { id: vendor.state.nextId(), ...bodyOf(request) } as Signer;
        const takesKeys = KEY_TLDS.has(name.slice(name.indexOf('.') + 1));
        if (takesKeys !== (signer.public_key !== undefined)) return badRequest('Validation failed');
        signers.set(name, [...(signers.get(name) ?? []), signer]);
        return data('createDomainDelegationSignerRecord', 201, signer);
      }),
      deleteDomainDelegationSignerRecord: held(({ path }, { name }) => {
        signers.set(
          name,
          (signers.get(name) ?? []).filter(({ id }) => id !== Number(path['ds'])),
        );
        return { status: 204 };
      }),
      getTld: ({ path }) =>
        data('getTld', 200, {
          tld: path['tld'],
          dnssec_interface_type: KEY_TLDS.has(path['tld'] ?? '') ? 'key' : 'ds',
        }),
      getZoneFile: ({ path }) => {
        const zone = path['zone'] ?? '';
        if (!vendor.state.held(zone)) return notFound('Zone');
        return { status: 200, body: { data: { zone: `$ORIGIN ${zone}.\n$TTL 1h\n@ 3600 IN A 192.0.2.1\n` } } };
      },
    },
  });
  return vendor;

  /** The recorded response with `values` under `data`. */
  function data(operation: string, status: number, values: unknown): VendorResponse {
    return vendor.recorded(operation, status, { data: values });
  }

  function held(handler: (request: VendorRequest, domain: VendorDomain) => VendorResponse): VendorHandler {
    return (request) => {
      completeRenewals();
      const domain = vendor.state.held(nameOf(request));
      return domain ? handler(request, domain) : notFound('Domain');
    };
  }

  function charge(productId: number, productType: string, name: string, amount: number): void {
    charges.push({ productId, productType, name, amount, at: vendor.state.now() });
  }

  function completeRenewals(): void {
    renewals.splice(0, renewals.length, ...renewals.filter((complete) => !complete()));
  }

  function isFree(request: VendorRequest): boolean {
    return !vendor.state.domains.has(nameOf(request));
  }

  /** An unknown contact, or a premium price that was not confirmed. */
  function purchaseRejection(request: VendorRequest, fee: number): VendorResponse | undefined {
    const { registrant_id: registrant, premium_price: confirmed } = bodyOf(request);
    if (registrant !== undefined && !vendor.state.contacts.has(Number(registrant))) return notFound('Contact');
    const isConfirmed = confirmed === (feeOf(request, fee) / 100).toFixed(2);
    return isPremium(request) && !isConfirmed ? badRequest('The premium price is not confirmed') : undefined;
  }

  function order(operation: string, state: string, values: object): VendorResponse {
    const created: Order = { id: vendor.state.nextId(), state, createdAt: vendor.state.now() };
    orders.set(created.id, created);
    return data(operation, 201, { id: created.id, state, created_at: created.createdAt, ...values });
  }

  function orderOf(operation: string, id: string | undefined): VendorResponse {
    const found = orders.get(Number(id));
    if (!found) return notFound('Order');
    return { ...data(operation, 201, { id: found.id, state: found.state }), status: 200 };
  }

  function wireTransfer(id: number): object {
    const states = { pending: 'transferring', completed: 'transferred', rejected: 'failed', cancelled: 'cancelled' };
    const transfer = vendor.state.transfers.find((candidate) => candidate.id === id);
    return { id, state: states[transfer?.status ?? 'pending'], created_at: transfer?.requestedAt };
  }

  function wireDomain(domain: VendorDomain): object {
    const isSlow =
      domain.name.startsWith('slow') && vendor.state.now().getTime() < domain.createdAt.getTime() + SLOW_MS;
    return {
      id: domain.id,
      name: domain.name,
      unicode_name: domain.name,
      state: domain.expiresAt > vendor.state.now() ? 'registered' : 'expired',
      registrant_id: domain.contacts,
      auto_renew: domain.autoRenew,
      expires_at: domain.expiresAt,
      expires_on: domain.expiresAt.toISOString().slice(0, 10),
      created_at: domain.createdAt,
      ...(isSlow && HOSTED),
    };
  }

  function yearsAhead({ expiresAt }: VendorDomain): number {
    return (expiresAt.getTime() - vendor.state.now().getTime()) / (365.25 * 86_400_000) - 0.01;
  }

  function pageOf(all: readonly object[], query: URLSearchParams, operation: string): VendorResponse {
    const page = Number(query.get('page') ?? 1);
    return vendor.recorded(operation, 200, {
      data: all.slice((page - 1) * PER_PAGE, page * PER_PAGE),
      pagination: {
        current_page: page,
        per_page: PER_PAGE,
        total_entries: all.length,
        total_pages: Math.max(1, Math.ceil(all.length / PER_PAGE)),
      },
    });
  }
}

function wireCharge({ productId, productType, name, amount, at }: Charge): object {
  const total = (amount / 100).toFixed(2);
  return {
    invoiced_at: at.toISOString(),
    total_amount: total,
    balance_amount: '0.00',
    reference: String(productId),
    state: 'collected',
    items: [
      {
        description: `${productType} ${name}`,
        amount: total,
        product_id: productId,
        product_type: productType,
        product_reference: name,
      },
    ],
  };
}

/** DNSimple sends null for what a record lacks. */
const wireDsRecord = (signer: Signer): object => ({
  digest: null,
  digest_type: null,
  keytag: null,
  public_key: null,
  ...signer,
});

const nameOf = ({ path }: VendorRequest): string => path['domain'] ?? '';
const bodyOf = ({ body }: VendorRequest) => body as Readonly<Record<string, unknown>>;
const isPremium = (request: VendorRequest): boolean => nameOf(request).startsWith('premium');
const feeOf = (request: VendorRequest, fee: number): number => (isPremium(request) ? fee * 10 : fee);
const notFound = (what: string): VendorResponse => ({ status: 404, body: { message: `${what} not found` } });
const badRequest = (message: string, errors?: object): VendorResponse => ({
  status: 400,
  body: { message, ...(errors && { errors }) },
});
