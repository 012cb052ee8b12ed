import {
  asUnknownOutcome,
  RegistryRejected,
  RegistryUnavailable,
  type DomainName,
  type JsonRequest,
  type RejectionReason,
  type ResponseReader,
} from '../../../adapter';
import {
  NamecomError,
  READ,
  VENDOR,
  type NamecomClient,
  type NamecomDomain,
  type NamecomOrder,
} from './namecom-client';
import { toRegistryError } from './namecom-mapping';

/** What statuses mean that are special to a request. */
type Meanings = Readonly<Record<number, RejectionReason>>;

const ORDERS_PER_PAGE = 25;

/** Requests to a name.com account, with the port's errors. */
export class NamecomAccount {
  constructor(private readonly client: NamecomClient) {}

  async send<T>(read: ResponseReader<T>, request: JsonRequest, meanings?: Meanings): Promise<T> {
    try {
      return await this.client.send(read, request);
    } catch (error) {
      throw toRegistryError(error, meanings);
    }
  }

  get<T>(read: ResponseReader<T>, path: string, query: JsonRequest['query'] = {}, meanings?: Meanings): Promise<T> {
    return this.send(read, { method: 'GET', path, query }, meanings);
  }

  post<T>(read: ResponseReader<T>, path: string, body: object, meanings?: Meanings): Promise<T> {
    return this.send(read, { method: 'POST', path, body }, meanings);
  }

  /** For the operations that name.com runs once for each key. */
  postOnce<T>(read: ResponseReader<T>, path: string, body: object, key: string, meanings?: Meanings): Promise<T> {
    return this.send(read, { method: 'POST', path, body, headers: { 'X-Idempotency-Key': key } }, meanings);
  }

  /** Undefined for the given status. */
  async find<T>(read: ResponseReader<T>, request: JsonRequest, absent: number = 404): Promise<T | undefined> {
    try {
      return await this.client.send(read, request);
    } catch (error) {
      if (error instanceof NamecomError && error.status === absent) return undefined;
      throw toRegistryError(error);
    }
  }

  /** Undefined for a name that the account does not hold. */
  findDomain(name: DomainName): Promise<NamecomDomain | undefined> {
    return this.find(READ.domain, { method: 'GET', path: `/domains/${name.value}` });
  }

  /** @throws RegistryRejected (`not_held`) */
  domain(name: DomainName): Promise<NamecomDomain> {
    return this.get(READ.domain, `/domains/${name.value}`);
  }

  update(name: DomainName, changes: object): Promise<NamecomDomain> {
    return this.send(READ.domain, { method: 'PATCH', path: `/domains/${name.value}`, body: changes });
  }

  /** The latest orders of a type for a name, newest first. */
  async orders(name: DomainName, type: string): Promise<readonly NamecomOrder[]> {
    const query = { domainName: name.value, type, dir: 'desc', perPage: ORDERS_PER_PAGE };
    return (await this.get(READ.orders, '/orders', query)).orders;
  }
}

export function isRejected(error: unknown, ...reasons: readonly RejectionReason[]): boolean {
  return error instanceof RegistryRejected && reasons.includes(error.reason);
}

/** For a request after one that changed something: even a rejection leaves the outcome unknown. */
export function throwAsUnknown(error: unknown): never {
  throw error instanceof RegistryRejected
    ? new RegistryUnavailable(`${VENDOR} does not show the change`, undefined, { cause: error })
    : asUnknownOutcome(error);
}
