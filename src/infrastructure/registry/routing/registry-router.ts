import { RegistryRejected, RegistryNotContacted } from '../../../application/ports/registry/registry-errors';
import type { RegistryLane, RegistryLanes } from '../../../application/ports/registry/registry-lanes';
import type { RegistryShares } from '../../../application/ports/registry/registry-shares';
import type { RegistryQueue, RegistryQueues } from '../../../application/ports/registry/registry-queues';
import type {
  AuthCode,
  Availability,
  ChargedDomain,
  GlueHost,
  HoldingPrice,
  RegistrationRequest,
  RegistryDomain,
  RegistryPort,
} from '../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { Nameservers } from '../../../domain/registration/nameservers';
import type { Registrant } from '../../../domain/registration/registrant';
import type { RegistrationTerm } from '../../../domain/registration/registration-term';
import { TldPolicies, type TldPolicy } from '../../../domain/registration/tld-policy';
import type { Money } from '../../../domain/shared/money';
import type { RegistryAdapter } from '../registry-adapter';
import { areAmountsSound, judgedFacts, judgedMessage } from './judged-facts';
import type { RegistryGuard } from './registry-guard';

/** A registry as the router sees it. */
export interface Route {
  /** The operator's name for it: letters, digits and hyphens. */
  readonly registry: string;
  readonly port: RegistryAdapter;
  readonly guard: RegistryGuard;
}

function tldsOf(routes: readonly Route[]): TldPolicies<TldPolicy & { readonly route: Route }> {
  return new TldPolicies(routes.flatMap((route) => route.port.policies().map((policy) => ({ ...policy, route }))));
}

/**
 * All registries as one: each name is asked of the registry that serves its TLD, through that registry's own guard.
 * Of a name under no TLD that is served it knows nothing, which for a name that is held means: unavailable.
 */
export class RegistryRouter implements RegistryPort, RegistryShares, RegistryLanes, RegistryQueues {
  constructor(
    private readonly routes: readonly Route[],
    /** On whose behalf; absent: the service itself. */
    private readonly account?: string,
    private readonly tlds = tldsOf(routes),
  ) {}

  forAccount(accountId: string): RegistryPort {
    return new RegistryRouter(this.routes, accountId, this.tlds);
  }

  policies(): readonly TldPolicy[] {
    return this.routes.flatMap(({ port }) => port.policies());
  }

  laneOf(name: DomainName): RegistryLane | undefined {
    const route = this.tlds.forName(name)?.route;
    return route && { registry: route.registry, concurrency: route.guard.concurrency };
  }

  queues(): readonly RegistryQueue[] {
    return this.routes.map(({ registry, port, guard }) => ({
      registry,
      poll: () =>
        guard.query(async () => {
          const message = await port.poll();
          return (
            message &&
            judgedMessage(message, (name) => this.tlds.forName(name)?.route.registry === registry, new Date())
          );
        }),
      acknowledge: (messageId) => guard.command(() => port.acknowledge(messageId)),
    }));
  }

  async check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]> {
    const answers = new Map<string, Availability>();
    const asked = this.routes.map(async (route) => {
      const served = names.filter((name) => this.tlds.forName(name)?.route === route);
      if (served.length === 0) return;
      for (const answer of await route.guard.query(() => route.port.check(served, term), this.account))
        answers.set(answer.name.value, this.judgedOffer(answer, route.guard));
    });
    await Promise.all(asked);
    return names.map((name) => answers.get(name.value) ?? { name, available: false });
  }

  async price(name: DomainName, term?: RegistrationTerm): Promise<HoldingPrice> {
    if (!this.tlds.forName(name))
      throw new RegistryRejected('unavailable', `${name.value} is under no TLD that is served`);
    return this.query(name, (port) => port.price(name, term));
  }

  async register(request: RegistrationRequest): Promise<ChargedDomain> {
    return this.command(request.name, (port) => port.register(request));
  }

  async info(name: DomainName): Promise<RegistryDomain | undefined> {
    return this.query(name, (port) => port.info(name));
  }

  async renew(
    name: DomainName,
    currentExpiry: Date,
    term: RegistrationTerm,
    transactionId: string,
    price?: Money,
  ): Promise<ChargedDomain> {
    return this.command(name, (port) => port.renew(name, currentExpiry, term, transactionId, price));
  }

  async setNameservers(
    name: DomainName,
    nameservers: Nameservers,
    glue: readonly GlueHost[],
    transactionId: string,
  ): Promise<RegistryDomain> {
    return this.command(name, (port) => port.setNameservers(name, nameservers, glue, transactionId));
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

  async restore(name: DomainName, price: Money, transactionId: string): Promise<ChargedDomain> {
    return this.command(name, (port) => port.restore(name, price, transactionId));
  }

  async delete(name: DomainName, transactionId: string): Promise<RegistryDomain | undefined> {
    return this.command(name, (port) => port.delete(name, transactionId));
  }

  /** Nothing is sold for an amount that cannot be true. */
  private judgedOffer(offer: Availability, { watch }: RegistryGuard): Availability {
    if (!offer.price || areAmountsSound(offer.price)) return offer;
    watch('a registry asks an amount that cannot be true: the name is not sold', { name: offer.name.value });
    return { name: offer.name, available: false };
  }

  private async query<T>(name: DomainName, ask: (port: RegistryPort) => Promise<T>): Promise<T> {
    const { port, guard } = this.routeOf(name);
    return guard.query(async () => judgedFacts(name, await ask(port), new Date(), guard.watch), this.account);
  }

  private async command<T>(name: DomainName, send: (port: RegistryPort) => Promise<T>): Promise<T> {
    const { port, guard } = this.routeOf(name);
    return guard.command(async () => judgedFacts(name, await send(port), new Date(), guard.watch), this.account);
  }

  private routeOf(name: DomainName): Route {
    const route = this.tlds.forName(name)?.route;
    if (!route) throw new RegistryNotContacted(`No registry is configured for .${name.parent}`);
    return route;
  }
}
