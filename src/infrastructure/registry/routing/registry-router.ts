import {
  RegistryRejected,
  RegistryNotContacted,
  unsupportedBy,
} from '../../../application/ports/registry/registry-errors';
import type {
  RegistryCapacity,
  RegistryDirectory,
  AccountRegistries,
  NameListings,
  RegistryNameListing,
  RegistryMessageQueue,
  MessageQueues,
} from '../../../application/ports/registry/registries';
import type {
  AuthCode,
  Availability,
  ChargedDomain,
  GlueHost,
  RenewalPrices,
  RegistrationRequest,
  RegistryDomain,
  RegistryPort,
} from '../../../application/ports/registry/registry-port';
import type { RegistryTransfer, TransferRequest } from '../../../application/ports/registry/registry-transfers';
import type { DsRecord } from '../../../domain/dns/delegation/ds-record';
import type { DomainName } from '../../../domain/shared/domain-name';
import type { Nameservers } from '../../../domain/registration/nameservers';
import type { Registrant } from '../../../domain/registration/registrant';
import type { RegistrationTerm } from '../../../domain/registration/registration-term';
import { TldPolicies, type TldPolicy } from '../../../domain/registration/names/tld-policy';
import type { Money } from '../../../domain/shared/money';
import type { RegistryAdapter } from '../registry-adapter';
import { areAmountsValid, validateFacts, validateMessage, validatePage, validateDsRecords } from './validate-facts';
import type { RegistryGuard } from './registry-guard';

export interface Route {
  /** The registry's name in the registries file: letters, digits and hyphens. */
  readonly registry: string;
  /** Ids of the accounts that may import names that the operator's account there holds. */
  readonly accounts?: readonly string[];
  readonly port: RegistryAdapter;
  readonly guard: RegistryGuard;
}

function tldsOf(routes: readonly Route[]): TldPolicies<TldPolicy & { readonly route: Route }> {
  return new TldPolicies(routes.flatMap((route) => route.port.policies().map((policy) => ({ ...policy, route }))));
}

/**
 * Routes each call to the registry that serves the name's TLD, through that registry's guard. A name under an unserved
 * TLD is not available for registration; other calls on it fail with RegistryNotContacted.
 */
export class RegistryRouter implements RegistryPort, AccountRegistries, RegistryDirectory, MessageQueues, NameListings {
  constructor(
    private readonly routes: readonly Route[],
    /** The account that calls; the service itself if absent. */
    private readonly account?: string,
    private readonly tlds = tldsOf(routes),
  ) {}

  forAccount(accountId: string): RegistryPort {
    return new RegistryRouter(this.routes, accountId, this.tlds);
  }

  policies(): readonly TldPolicy[] {
    return this.routes.flatMap(({ port }) => port.policies());
  }

  registryFor(name: DomainName): RegistryCapacity | undefined {
    const route = this.tlds.forName(name)?.route;
    return route && { registry: route.registry, concurrency: route.guard.concurrency };
  }

  queues(): readonly RegistryMessageQueue[] {
    return this.routes.map(({ registry, port, guard }) => ({
      registry,
      poll: () =>
        guard.query(async () => {
          const message = await port.poll();
          return (
            message &&
            validateMessage(message, (name) => this.tlds.forName(name)?.route.registry === registry, new Date())
          );
        }),
      acknowledge: (messageId) => guard.command(() => port.acknowledge(messageId)),
    }));
  }

  listings(): readonly RegistryNameListing[] {
    return this.routes.map(({ registry, accounts = [], port, guard }) => ({
      registry,
      accounts,
      list: (cursor) =>
        guard.query(async () => validatePage(await port.list(cursor), new Date(), guard.warn), this.account),
    }));
  }

  async check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]> {
    const results = new Map<string, Availability>();
    const checks = this.routes.map(async (route) => {
      const served = names.filter((name) => this.tlds.forName(name)?.route === route);
      if (served.length === 0) return;
      for (const result of await route.guard.query(() => route.port.check(served, term), this.account))
        results.set(result.name.value, this.validateAvailability(result, route.guard));
    });
    await Promise.all(checks);
    return names.map((name) => results.get(name.value) ?? { name, available: false });
  }

  async price(name: DomainName, term?: RegistrationTerm): Promise<RenewalPrices> {
    if (!this.tlds.forName(name))
      throw new RegistryRejected('unavailable', `No registry is configured for .${name.parent}`);
    return this.query(name, (port) => port.price(name, term));
  }

  async register(request: RegistrationRequest): Promise<ChargedDomain> {
    return this.command(request.name, (port) => port.register(request));
  }

  async info(name: DomainName, authCode?: string): Promise<RegistryDomain | undefined> {
    return this.query(name, (port) => port.info(name, authCode));
  }

  async renew(
    name: DomainName,
    currentExpiry: Date,
    term: RegistrationTerm,
    transactionId: string,
    price?: Money,
    idempotencyKey?: string,
  ): Promise<ChargedDomain> {
    return this.command(name, (port) => port.renew(name, currentExpiry, term, transactionId, price, idempotencyKey));
  }

  async setNameservers(
    name: DomainName,
    nameservers: Nameservers,
    glue: readonly GlueHost[],
    transactionId: string,
  ): Promise<RegistryDomain> {
    return this.command(name, (port) => port.setNameservers(name, nameservers, glue, transactionId));
  }

  async setGlue(name: DomainName, glue: readonly GlueHost[], transactionId: string): Promise<void> {
    return this.command(name, async (port) => {
      if (!port.setGlue) throw unsupportedBy('The registry', 'changes of addresses without a change of nameservers');
      await port.setGlue(name, glue, transactionId);
    });
  }

  async setRegistrant(name: DomainName, registrant: Registrant, transactionId: string): Promise<void> {
    return this.command(name, (port) => port.setRegistrant(name, registrant, transactionId));
  }

  async setTransferLock(name: DomainName, locked: boolean, transactionId: string): Promise<RegistryDomain> {
    return this.command(name, (port) => port.setTransferLock(name, locked, transactionId));
  }

  async issueAuthCode(name: DomainName, transactionId: string): Promise<AuthCode> {
    return this.command(name, (port) => port.issueAuthCode(name, transactionId));
  }

  async withdrawAuthCode(name: DomainName, transactionId: string): Promise<void> {
    return this.command(name, (port) => port.withdrawAuthCode(name, transactionId));
  }

  async restore(
    name: DomainName,
    price: Money,
    transactionId: string,
    idempotencyKey?: string,
  ): Promise<ChargedDomain> {
    return this.command(name, (port) => port.restore(name, price, transactionId, idempotencyKey));
  }

  async delete(name: DomainName, transactionId: string): Promise<RegistryDomain | undefined> {
    return this.command(name, (port) => port.delete(name, transactionId));
  }

  async registrant(name: DomainName): Promise<Registrant | undefined> {
    return this.query(name, (port) => port.registrant(name));
  }

  async setRegistrarRenewal(name: DomainName, enabled: boolean, transactionId: string): Promise<void> {
    return this.command(name, (port) => port.setRegistrarRenewal(name, enabled, transactionId));
  }

  async transferPrice(name: DomainName, term?: RegistrationTerm): Promise<Money> {
    return this.query(name, (port) => port.transferPrice(name, term));
  }

  async requestTransfer(request: TransferRequest): Promise<RegistryTransfer> {
    return this.command(request.name, (port) => port.requestTransfer(request));
  }

  async transferStatus(name: DomainName): Promise<RegistryTransfer | undefined> {
    return this.query(name, (port) => port.transferStatus(name));
  }

  async cancelTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.command(name, (port) => port.cancelTransfer(name, transactionId));
  }

  async approveTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.command(name, (port) => port.approveTransfer(name, transactionId));
  }

  async rejectTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.command(name, (port) => port.rejectTransfer(name, transactionId));
  }

  async release(name: DomainName, registrarTag: string, transactionId: string): Promise<void> {
    return this.command(name, async (port) => {
      if (!port.release) throw unsupportedBy('The registry', 'releases to another registrar');
      await port.release(name, registrarTag, transactionId);
    });
  }

  async dsRecords(name: DomainName): Promise<readonly DsRecord[]> {
    return this.query(name, async (port) => validateDsRecords(name, await port.dsRecords(name)));
  }

  async setDsRecords(
    name: DomainName,
    dsRecords: readonly DsRecord[],
    transactionId: string,
  ): Promise<readonly DsRecord[]> {
    return this.command(name, async (port) =>
      validateDsRecords(name, await port.setDsRecords(name, dsRecords, transactionId)),
    );
  }

  async hostedZone(name: DomainName): Promise<string | undefined> {
    return this.tlds.forName(name) && this.query(name, (port) => port.hostedZone(name));
  }

  /** A name with an invalid price is not sold. */
  private validateAvailability(result: Availability, { warn }: RegistryGuard): Availability {
    if (!result.price || areAmountsValid(result.price)) return result;
    warn('invalid price from the registry: the name is not sold', { name: result.name.value });
    return { name: result.name, available: false };
  }

  private async query<T>(name: DomainName, send: (port: RegistryPort) => Promise<T>): Promise<T> {
    const { port, guard } = this.routeOf(name);
    return guard.query(async () => validateFacts(name, await send(port), new Date(), guard.warn), this.account);
  }

  private async command<T>(name: DomainName, send: (port: RegistryPort) => Promise<T>): Promise<T> {
    const { port, guard } = this.routeOf(name);
    return guard.command(async () => validateFacts(name, await send(port), new Date(), guard.warn), this.account);
  }

  private routeOf(name: DomainName): Route {
    const route = this.tlds.forName(name)?.route;
    if (!route) throw new RegistryNotContacted(`No registry is configured for .${name.parent}`);
    return route;
  }
}
