import { inject, injectable } from '../../../../application/ports/inject';
import { LifecyclePlan } from '../../../../application/operations/lifecycle-plan';
import { DOMAIN_FILTERS, DomainFilters, type GivenFilter } from '../../../../application/portfolio/domain-filters';
import type {
  DomainOrder,
  SortedList,
  SortedPosition,
  DomainFilter,
  ListedDomain,
} from '../../../../application/ports/registration/domain-repository';
import { FindDomain } from '../../../../application/registration/find-domain';
import { ListDomains } from '../../../../application/registration/list-domains';
import type { Reader } from '../../../../domain/access/actor';
import { isForRecordsOnly } from '../../../../domain/access/key-permissions';
import type { Domain, DomainState } from '../../../../domain/registration/domain';
import type { LifecycleDates } from '../../../../domain/registration/lifecycle/lifecycle';
import type { Registrant } from '../../../../domain/registration/registrant';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, okStream, type ApiResult, type JsonResult, type ResultHeaders } from '../../../shared/result';
import type { ApiRequest } from '../../api-request';
import { badCursor, DOMAIN_ID, parseLimit, pageRequest, pageResult, positionCursor } from '../../list-query';
import { parameter, switchParameter } from '../../validated';

/** The filter that the query parameters of a list are. @throws ValidationError */
export async function domainFilter(
  filters: DomainFilters,
  { caller, query }: { readonly caller: Reader; readonly query: ApiRequest['query'] },
): Promise<DomainFilter> {
  const given: GivenFilter = Object.fromEntries(DOMAIN_FILTERS.map((name) => [name, parameter({ query }, name)]));
  const { filter, issues } = await filters.parse(caller, given);
  if (issues.length > 0) throw new ValidationError(issues);
  return filter;
}

/** The members of a domain that a list can be sorted by, with `-` in front for the last first. */
const ORDERS: ReadonlyMap<string, DomainOrder> = new Map([
  ['name', 'name'],
  ['status', 'status'],
  ['expires_at', 'expiry'],
  ['auto_renew', 'auto_renewal'],
  ['transfer_locked', 'transfer_lock'],
]);
/** Orders whose values are stored as numbers. */
const NUMERIC: ReadonlySet<DomainOrder> = new Set(['expiry', 'auto_renewal', 'transfer_lock']);

interface SortedRequest {
  readonly order: Pick<SortedList, 'order' | 'descending'>;
  readonly limit: number;
  readonly after?: SortedPosition;
}

/** @throws ValidationError */
function sortedRequest(request: Pick<ApiRequest, 'query'>): SortedRequest {
  const sort = parameter(request, 'sort') ?? '';
  const order = ORDERS.get(sort.replace(/^-/, ''));
  if (!order)
    throw ValidationError.of('sort', `must be one of ${[...ORDERS.keys()].join(', ')}, or one with - in front`);
  const cursor = parameter(request, 'cursor');
  return {
    order: { order, descending: sort.startsWith('-') },
    limit: parseLimit(parameter(request, 'limit')),
    ...(cursor !== undefined && { after: positionOf(cursor, order) }),
  };
}

function sortedCursor({ value, id }: SortedPosition): string {
  return Buffer.from(`${id}:${value}`).toString('base64url');
}

/** @throws ValidationError */
function positionOf(cursor: string, order: DomainOrder): SortedPosition {
  const text = Buffer.from(cursor.slice(0, 500), 'base64url').toString();
  const end = text.indexOf(':');
  const [id, value] = [text.slice(0, end), text.slice(end + 1)];
  const isNumeric = NUMERIC.has(order);
  if (!DOMAIN_ID.test(id) || (isNumeric && !/^-?\d{1,16}$/.test(value))) throw badCursor();
  return { id, value: isNumeric ? Number(value) : value };
}

@injectable()
export class DomainsController {
  constructor(
    @inject(ListDomains) private readonly domains: ListDomains,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(DomainFilters) private readonly filters: DomainFilters,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
  ) {}

  private full({ actor }: Reader, domain: Domain): object {
    const state = domain.toState();
    const registrant = isForRecordsOnly(actor) ? null : state.registrant;
    return fullDomain({ ...state, registrant }, this.plan.dates(state));
  }

  async list(request: ApiRequest): Promise<ApiResult> {
    const filter = await domainFilter(this.filters, request);
    const headers = await this.countTotal(request, filter);
    if (parameter(request, 'sort') !== undefined) return this.sorted(request, filter, headers);
    const page = pageRequest(request);
    if (!page) return okStream(this.domains.all(request.caller, filter), listedDomain, headers);
    const { items, next } = await this.domains.page(request.caller, filter, page.limit, page.after);
    return pageResult(
      { request, filters: DOMAIN_FILTERS, items, last: next, limit: page.limit, cursorOf: positionCursor },
      listedDomain,
      headers,
    );
  }

  /** Always by pages: a sorted list is read in its order, and cannot be streamed in the order of another index. */
  private async sorted(request: ApiRequest, filter: DomainFilter, headers: ResultHeaders): Promise<JsonResult> {
    const { order, limit, after } = sortedRequest(request);
    const { items, next } = await this.domains.sorted(request.caller, { ...filter, ...order }, limit, after);
    return pageResult(
      { request, filters: ['sort', ...DOMAIN_FILTERS], items, last: next, limit, cursorOf: sortedCursor },
      listedDomain,
      headers,
    );
  }

  private async countTotal(request: ApiRequest, filter: DomainFilter): Promise<ResultHeaders> {
    if (switchParameter(request, 'total') !== true) return {};
    return { 'Total-Count': String(await this.domains.total(request.caller, filter)) };
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(this.full(caller, await this.findDomain.byId({ ...caller, domainId: params.id })));
  }

  async readByName({ caller, params }: ApiRequest<'name'>): Promise<ApiResult> {
    return ok(this.full(caller, await this.findDomain.byName({ ...caller, name: params.name })));
  }
}

/** The members that a domain has wherever it is shown. */
function shownAlways(domain: ListedDomain): object {
  return {
    id: domain.id,
    name: domain.name,
    status: domain.status,
    expires_at: domain.expiresAt.toISOString(),
    auto_renew: domain.autoRenew,
    transfer_locked: domain.transferLocked,
    nameservers: domain.nameservers,
  };
}

function listedDomain(domain: ListedDomain): object {
  return {
    ...shownAlways(domain),
    tags: domain.tags,
    created_at: domain.createdAt.toISOString(),
  };
}

export function registeredDomain(domain: DomainState): object {
  return {
    ...shownAlways(domain),
    contacts: { registrant: domain.registrant && shortRegistrant(domain.registrant) },
    created_at: domain.createdAt.toISOString(),
  };
}

function fullDomain(domain: DomainState, dates: LifecycleDates | undefined): object {
  return {
    ...shownAlways(domain),
    contacts: { registrant: domain.registrant && fullRegistrant(domain.registrant) },
    tags: domain.tags,
    created_at: domain.createdAt.toISOString(),
    updated_at: domain.updatedAt.toISOString(),
    renewed_by: domain.registrarRenews ? 'registrar' : 'service',
    keep_zone: domain.keptZone !== null,
    transfer_out: transferOut(domain),
    lifecycle: lifecycle(dates),
  };
}

/** The pending transfer to another registrar. */
function transferOut({ transferPending, transferRequestedAt, transferEndsAt }: DomainState): object | null {
  if (!transferPending) return null;
  return {
    requested_at: transferRequestedAt?.toISOString() ?? null,
    ends_at: transferEndsAt?.toISOString() ?? null,
  };
}

/** A name under a TLD that is no longer supported has no plan. */
function lifecycle(dates: LifecycleDates | undefined): object {
  return {
    renewable_until: dates?.renewableUntil?.toISOString() ?? null,
    redemption_ends_at: dates?.redemptionEndsAt?.toISOString() ?? null,
    deletes_at: dates?.deletesAt?.toISOString() ?? null,
    transfer_locked_until: dates?.transferLockedUntil?.toISOString() ?? null,
    deletion_due_at: dates?.deletionDueAt?.toISOString() ?? null,
  };
}

/** The members of every response to a change, around the part that changed. */
export function changedDomain(domain: DomainState, part: object): object {
  return { id: domain.id, name: domain.name, ...part, updated_at: domain.updatedAt.toISOString() };
}

export function shortRegistrant({ firstName, lastName, email }: Registrant): object {
  return { first_name: firstName, last_name: lastName, email };
}

export function fullRegistrant(registrant: Registrant): object {
  const { firstName, lastName, email, phone, phoneExtension, organization, companyNumber, legalForm, address } =
    registrant;
  return {
    first_name: firstName,
    last_name: lastName,
    email,
    phone,
    phone_extension: phoneExtension,
    organization,
    company_number: companyNumber,
    legal_form: legalForm,
    address: {
      street: address.street,
      street2: address.street2,
      street3: address.street3,
      city: address.city,
      state: address.state,
      postal_code: address.postalCode,
      country: address.country,
    },
  };
}
