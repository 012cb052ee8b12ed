import { addDays, addYears } from '../../../src/domain/shared/time/calendar';
import {
  RecordedVendor,
  type VendorHandler,
  type VendorRequest,
  type VendorResponse,
} from '../../../src/testing/vendor/recorded-vendor';
import type { OpenApiDocument } from '../../../src/testing/vendor/vendor-document';
import type { VendorDomain, VendorLedgerEntry, VendorTransfer } from '../../../src/testing/vendor/vendor-state';
import { realtimeRegisterDocument } from './realtimeregister-document';

export const REALTIMEREGISTER_CREDENTIALS = { customer: 'namewright', api_key: 'an-api-key-of-the-stand-in' };
const CURRENCY = 'USD';
/** In cents, for a year. Names that start with `premium` cost ten times as much. */
export const REALTIMEREGISTER_FEES: Record<string, number> = {
  CREATE: 1_000,
  RENEW: 1_200,
  TRANSFER: 1_100,
  RESTORE: 8_000,
};
const PERIODS = { addGrace: 5, redemption: 30, pendingDelete: 5 };
const LOCK = 'CLIENT_TRANSFER_PROHIBITED';
/** How long a registration of a name that starts with `slow` takes. */
const SLOW_MS = 3_600_000;

interface Dnssec {
  readonly keyData?: readonly object[];
  readonly dsData?: readonly object[];
}

let document: OpenApiDocument | undefined;

/** A stand-in for Realtime Register: its document and a state. The vendor publishes no recorded responses. */
export function realtimeRegisterServer(): RecordedVendor {
  const contacts = new Map<string, object>();
  const dnssec = new Map<string, Dnssec>();
  const deletions = new Map<string, Date>();
  const hosts = new Set<string>();
  const notified = new Set<number>();
  const acknowledged = new Set<number>();

  const vendor = new RecordedVendor({
    document: (document ??= realtimeRegisterDocument()),
    isAuthenticated: ({ authorization }) => authorization === `ApiKey ${REALTIMEREGISTER_CREDENTIALS.api_key}`,
    handlers: {
      checkDomain: (request) => {
        const available = !present(nameOf(request));
        const premium = isPremium(nameOf(request));
        return ok({
          available,
          premium,
          currency: CURRENCY,
          price: feeOf(nameOf(request), 'CREATE'),
          ...(premium && { renewPrice: feeOf(nameOf(request), 'RENEW') }),
        });
      },
      getPricelist: () =>
        ok({
          prices: ['com', 'nl'].flatMap((tld) =>
            Object.entries(REALTIMEREGISTER_FEES).map(([action, price]) => ({
              product: `domain_${tld}`,
              action,
              currency: CURRENCY,
              price,
            })),
          ),
        }),
      getCredits: () =>
        ok({ accounts: [{ currency: CURRENCY, balance: vendor.state.balance, reservation: 0, locked: 0 }] }),
      getDomain: (request) => {
        const domain = held(nameOf(request));
        return domain && !isSlow(domain) ? ok(wireDomain(domain)) : missing();
      },
      listDomains: ({ query }) => {
        const all = [...vendor.state.domains.keys()]
          .flatMap((name) => held(name) ?? [])
          .toSorted((left, right) => (left.name < right.name ? -1 : 1));
        const [offset, limit] = [Number(query.get('offset')), Math.min(3, Number(query.get('limit')))];
        const entities = all.slice(offset, offset + limit).map(({ name, expiresAt }) => ({
          domainName: name,
          expiryDate: expiresAt,
        }));
        return ok({ entities, pagination: { limit, offset, total: all.length } });
      },
      createDomain: billable('CREATE', (request) => {
        const { registrant, period, ns, autoRenew } = bodyOf(request);
        if (present(nameOf(request))) return rejected('ObjectExists');
        if (!contacts.has(registrant as string)) return rejected('ObjectDoesNotExist');
        return {
          run: () => {
            vendor.state.addDomain(nameOf(request), Number(period) / 12, {
              nameservers: [...(ns as readonly string[])],
              contacts: registrant,
              autoRenew: autoRenew !== false,
              locked: false,
            });
            const years = Number(period) / 12;
            charge('registration', request, years, feeOf(nameOf(request), 'CREATE') * years);
          },
        };
      }),
      updateDomain: ofHeld((request, domain) => {
        const { registrant, ns, status, authcode, autoRenew, keyData, dsData } = bodyOf(request);
        if (deletions.has(domain.name)) return rejected('ObjectStatusProhibitsOperation');
        if (registrant !== undefined && !contacts.has(registrant as string)) return rejected('ObjectDoesNotExist');
        if (registrant !== undefined) domain.contacts = registrant;
        if (ns !== undefined) domain.nameservers = (ns as readonly string[]).map((host) => host.toLowerCase());
        if (status !== undefined) domain.locked = (status as readonly string[]).includes(LOCK);
        if (authcode !== undefined) domain.authCode = authcode as string;
        if (autoRenew !== undefined) domain.autoRenew = autoRenew === true;
        if (keyData !== undefined) dnssec.set(domain.name, { keyData: keyData as readonly object[] });
        if (dsData !== undefined) dnssec.set(domain.name, { dsData: dsData as readonly object[] });
        return { status: 200 };
      }),
      renewDomain: billable('RENEW', (request) => {
        const domain = held(nameOf(request));
        const years = Number(bodyOf(request)['period']) / 12;
        if (!domain) return missing();
        const isPending = vendor.state.transferOf(domain.name, 'out')?.status === 'pending';
        if (deletions.has(domain.name) || isPending) return rejected('ObjectStatusProhibitsOperation');
        if (addYears(domain.expiresAt, years) > addDays(addYears(vendor.state.now(), 10), 1))
          return rejected('ConstraintViolationException', [{ field: 'period', message: 'is too long' }]);
        return {
          run: () => {
            domain.expiresAt = addYears(domain.expiresAt, years);
            charge('renewal', request, years, feeOf(domain.name, 'RENEW') * years);
          },
        };
      }),
      transferDomain: billable('TRANSFER', (request) => {
        const domain = present(nameOf(request));
        const { registrant, authcode, period } = bodyOf(request);
        if (!domain) return rejected('ValidationError');
        if (domain.held) return rejected('ObjectExists');
        if (domain.locked || vendor.state.transferOf(domain.name, 'in')?.status === 'pending')
          return rejected('ObjectStatusProhibitsOperation');
        if (authcode !== domain.authCode) return rejected('AuthCodeInvalidError');
        return {
          run: () => {
            domain.contacts = registrant;
            const years = Number(period) / 12;
            const order = charge('transfer', request, years, feeOf(domain.name, 'TRANSFER') * years);
            vendor.state.startTransfer(domain.name, 'in', order);
          },
        };
      }),
      transferInfo: ({ path }) => {
        const transfer = vendor.state.transfers.find(({ id }) => id === Number(path['processId']));
        if (!transfer) return missing();
        const { name, direction, status, requestedAt, endsAt } = transfer;
        return ok({
          domainName: name,
          type: direction.toUpperCase(),
          status,
          requestedDate: requestedAt,
          actionDate: endsAt,
          processId: transfer.id,
        });
      },
      restoreDomain: billable('RESTORE', (request) => {
        const domain = held(nameOf(request));
        if (!domain) return missing();
        if (phaseOf(domain) !== 'REDEMPTION_PERIOD') return rejected('ObjectStatusProhibitsOperation');
        return {
          run: () => {
            deletions.delete(domain.name);
            charge('restore', request, 1, feeOf(domain.name, 'RESTORE'));
            if (domain.expiresAt < vendor.state.now()) domain.expiresAt = addYears(domain.expiresAt, 1);
          },
        };
      }),
      deleteDomain: ofHeld((_request, domain) => {
        if (deletions.has(domain.name)) return rejected('ObjectStatusProhibitsOperation');
        if (addDays(domain.createdAt, PERIODS.addGrace) > vendor.state.now()) {
          vendor.state.domains.delete(domain.name);
          const charged = vendor.state.ledger.find(({ kind, name }) => kind === 'registration' && name === domain.name);
          if (charged) vendor.state.refund(charged);
        } else deletions.set(domain.name, vendor.state.now());
        return { status: 202 };
      }),
      createContact: ({ path, body }) => {
        const handle = path['handle'] ?? '';
        if (contacts.has(handle)) return rejected('ObjectExists');
        contacts.set(handle, body as object);
        return { status: 201 };
      },
      getContact: ({ path }) => {
        const contact = contacts.get(path['handle'] ?? '');
        return contact
          ? ok({ handle: path['handle'], customer: REALTIMEREGISTER_CREDENTIALS.customer, ...contact })
          : missing();
      },
      createHost: ({ path, body }) => {
        if (hosts.has(path['hostName'] ?? '')) return rejected('ObjectExists');
        return setHost(path['hostName'] ?? '', body);
      },
      updateHost: ({ path, body }) => setHost(path['hostName'] ?? '', body),
      listProcesses: ({ query }) => {
        const name = query.get('q') ?? '';
        const all = [...ordersOf(name), ...transfersOf(name)].toSorted((left, right) => left.id - right.id);
        return ok({ entities: all, pagination: { limit: 100, offset: 0, total: all.length } });
      },
      cancelProcess: ({ path }) => {
        const transfer = vendor.state.transfers.find(({ id }) => id === Number(path['processId']));
        if (transfer?.status !== 'pending') return rejected('ObjectStatusProhibitsOperation');
        transfer.status = 'cancelled';
        const charged = vendor.state.ledger.find(({ id }) => id === transfer.orderId);
        if (charged) vendor.state.refund(charged);
        return { status: 200 };
      },
      pollNotification: () => {
        const [next, ...rest] = notifications();
        return ok({ count: next ? rest.length + 1 : 0, ...(next && { notification: next }) });
      },
      ackNotification: ({ path }) => {
        const id = Number(path['notificationId']);
        if (!notified.has(id)) return missing();
        acknowledged.add(id);
        return { status: 200 };
      },
    },
  });
  return vendor;

  /** Deleted names become free when their periods have ended. */
  function present(name: string): VendorDomain | undefined {
    const deletedAt = deletions.get(name);
    if (deletedAt && addDays(deletedAt, PERIODS.redemption + PERIODS.pendingDelete) <= vendor.state.now()) {
      deletions.delete(name);
      vendor.state.domains.delete(name);
    }
    return vendor.state.domains.get(name);
  }

  function held(name: string): VendorDomain | undefined {
    const domain = present(name);
    return domain?.held === true ? domain : undefined;
  }

  function ofHeld(handler: (request: VendorRequest, domain: VendorDomain) => VendorResponse): VendorHandler {
    return (request) => {
      const domain = held(nameOf(request));
      return domain ? handler(request, domain) : missing();
    };
  }

  /** A quote runs the checks only; a charge that the request does not agree to is rejected. */
  function billable(
    action: string,
    prepare: (request: VendorRequest) => VendorResponse | { readonly run: () => void },
  ): VendorHandler {
    return (request) => {
      const prepared = prepare(request);
      if (!('run' in prepared)) return prepared;
      const { period = 12, billables } = bodyOf(request);
      const quantity = Number(period) / 12;
      const amount = feeOf(nameOf(request), action);
      const product = `domain_${nameOf(request).slice(nameOf(request).indexOf('.') + 1)}`;
      const quote = {
        currency: CURRENCY,
        total: amount * quantity,
        billables: [{ product, action, quantity, amount, refundable: true, total: amount * quantity }],
      };
      if (request.query.get('quote') === 'true') return ok({ command: `${action}Command`, quote });
      const isAgreed = (
        billables as readonly { product: string; action: string; quantity: number }[] | undefined
      )?.some((agreed) => agreed.product === product && agreed.action === action && agreed.quantity >= quantity);
      if (!isAgreed)
        return { status: 400, body: { type: 'BillableAcknowledgmentNeededException', message: 'Not agreed', quote } };
      prepared.run();
      return { status: 202, headers: { 'x-process-id': String(vendor.state.nextId()) } };
    };
  }

  function charge(kind: VendorLedgerEntry['kind'], request: VendorRequest, years: number, amount: number): number {
    return vendor.state.charge({ kind, name: nameOf(request), years, amount }).id;
  }

  function setHost(host: string, body: unknown): VendorResponse {
    hosts.add(host);
    const { addresses } = body as { readonly addresses: readonly { readonly address: string }[] };
    const owner = [...vendor.state.domains.values()].find(({ name }) => host.endsWith(`.${name}`));
    owner?.glue.set(
      host,
      addresses.map(({ address }) => address),
    );
    return { status: 200 };
  }

  function isSlow({ name, createdAt }: VendorDomain): boolean {
    return name.startsWith('slow') && vendor.state.now().getTime() < createdAt.getTime() + SLOW_MS;
  }

  function phaseOf({ name }: VendorDomain): string | undefined {
    const deletedAt = deletions.get(name);
    if (!deletedAt) return undefined;
    return addDays(deletedAt, PERIODS.redemption) > vendor.state.now() ? 'REDEMPTION_PERIOD' : 'PENDING_DELETE';
  }

  function wireDomain(domain: VendorDomain): object {
    const { name, createdAt, expiresAt, locked, nameservers, autoRenew, contacts: registrant, authCode } = domain;
    const phase = phaseOf(domain);
    const statuses = [
      ...(phase ? [phase] : []),
      ...(locked ? [LOCK] : []),
      ...(vendor.state.transferOf(name, 'out')?.status === 'pending' ? ['PENDING_TRANSFER'] : []),
      ...(vendor.state.transferOf(name, 'in')?.status === 'completed' ? ['TRANSFER_PERIOD'] : []),
    ];
    return {
      domainName: name,
      registry: 'verisign',
      customer: REALTIMEREGISTER_CREDENTIALS.customer,
      registrant,
      privacyProtect: false,
      status: statuses.length > 0 ? statuses : ['OK'],
      authcode: authCode,
      autoRenew,
      autoRenewPeriod: 12,
      ns: nameservers,
      createdDate: createdAt,
      updatedDate: deletions.get(name) ?? createdAt,
      expiryDate: expiresAt,
      premium: isPremium(name),
      ...dnssec.get(name),
    };
  }

  function ordersOf(name: string) {
    const actions: Readonly<Record<string, string>> = { registration: 'create', renewal: 'renew' };
    return vendor.state.ledger
      .filter((entry) => entry.name === name && actions[entry.kind])
      .map(({ id, kind, at }) => {
        const domain = vendor.state.domains.get(name);
        const isOpen = kind === 'registration' && domain !== undefined && isSlow(domain);
        return process(id, name, { action: actions[kind] ?? '', status: isOpen ? 'RUNNING' : 'COMPLETED', at });
      });
  }

  function transfersOf(name: string) {
    const statuses = { pending: 'SUSPENDED', completed: 'COMPLETED', rejected: 'FAILED', cancelled: 'CANCELLED' };
    return vendor.state.transfers
      .filter((transfer) => transfer.name === name)
      .map(({ id, status, requestedAt }) =>
        process(id, name, { action: 'transfer', status: statuses[status], at: requestedAt }),
      );
  }

  /** One for each completed transfer away. */
  function notifications(): object[] {
    return vendor.state.transfers
      .filter(({ id, direction, status }) => direction === 'out' && status === 'completed' && !acknowledged.has(id))
      .map(({ id, name, endsAt }: VendorTransfer) => {
        notified.add(id);
        return {
          id,
          fireDate: endsAt,
          message: 'Domain transferred',
          customer: REALTIMEREGISTER_CREDENTIALS.customer,
          eventType: 'DomainTransfer',
          notificationType: 'transferDomain',
          domainName: name,
          transferType: 'OUT',
          subjectStatus: 'COMPLETED',
          isAsync: true,
        };
      });
  }
}

function process(
  id: number,
  identifier: string,
  { action, status, at }: { readonly action: string; readonly status: string; readonly at: Date },
) {
  return {
    id,
    action,
    status,
    type: 'domain',
    identifier,
    createdDate: at,
    customer: REALTIMEREGISTER_CREDENTIALS.customer,
  };
}

const nameOf = ({ path }: VendorRequest): string => path['domainName'] ?? '';
const bodyOf = ({ body }: VendorRequest) => (body ?? {}) as Readonly<Record<string, unknown>>;
const isPremium = (name: string): boolean => name.startsWith('premium');
const feeOf = (name: string, action: string): number =>
  (REALTIMEREGISTER_FEES[action] ?? 0) * (isPremium(name) ? 10 : 1);
const ok = (body: object): VendorResponse => ({ status: 200, body });
const missing = (): VendorResponse => ({ status: 404, body: { type: 'ObjectDoesNotExist', message: 'Not found' } });
const rejected = (type: string, violations?: readonly object[]): VendorResponse => ({
  status: 400,
  body: { type, message: `Rejected as ${type}`, ...(violations && { violations }) },
});
