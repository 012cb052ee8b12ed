import { inject, injectable } from '../../ports/inject';
import type { Actor } from '../../../domain/access/actor';
import { Domain } from '../../../domain/registration/domain';
import type { DomainName } from '../../../domain/shared/domain-name';
import type { Registrant } from '../../../domain/registration/registrant';
import { domainChanged } from '../../audit/domain-audit';
import { LifecyclePlan } from '../../operations/lifecycle-plan';
import { AccountRegistries } from '../../ports/registry/registries';
import { RegistryRejected } from '../../ports/registry/registry-errors';
import type { RegistryDomain, RegistryPort } from '../../ports/registry/registry-port';
import type { Stores } from '../../ports/storage/unit-of-work';
import { Clock, LifecycleClock, IdGenerator, Log } from '../../ports/system';
import { addHeldDomain } from '../add-held-domain';

/** A name that our account at the registry holds, with what the registry shows. */
interface HeldName {
  readonly name: DomainName;
  readonly facts: RegistryDomain;
  /** Null if the registry does not show it. */
  readonly registrant: Registrant | null;
}

interface Adoption {
  readonly accountId: string;
  readonly actor: Actor;
  readonly held: HeldName;
}

/** Adopts names that our account at a registry holds. Changes nothing at the registry. */
@injectable()
export class AdoptName {
  constructor(
    @inject(AccountRegistries) private readonly registries: AccountRegistries,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Undefined if our account does not hold the name. The calls count for the account. @throws RegistryUnavailable, RegistryRejected */
  async read(name: DomainName, accountId: string): Promise<HeldName | undefined> {
    const registry = this.registries.forAccount(accountId);
    const facts = await registry.info(name);
    return facts?.sponsoredByUs ? { name, facts, registrant: await readRegistrant(registry, name) } : undefined;
  }

  /**
   * Within a unit of work. `present`: the account has the name; `taken`: another account has it. Changes nothing then. A zone that the
   * account hosts under the name becomes the domain's; one that another account hosts is no longer served.
   */
  async apply(
    stores: Pick<Stores, 'audit' | 'domains' | 'zones' | 'zoneSignings'>,
    { accountId, actor, held: { name, facts, registrant } }: Adoption,
  ): Promise<'imported' | 'present' | 'taken'> {
    const present = await stores.domains.lockByName(name);
    if (present && !present.isHosted) return present.accountId === accountId ? 'present' : 'taken';
    const hosted = await stores.domains.lockHosted(name, accountId);
    const [now, at] = [this.lifecycleClock.now(), this.clock.now()];
    const id = hosted?.id ?? this.ids.next('dom');
    const domain = Domain.fromRegistry({ id, accountId, name, registrant }, facts, now, hosted);
    const newId = () => this.ids.next('rec');
    await addHeldDomain(stores, domain, { plan: this.plan, log: this.log, now, actor, at, hosted, newId });
    const change = { at, actor, before: hosted?.toState(), after: domain.toState() };
    await stores.audit.append(domainChanged({ ...change, action: 'domain.imported' }));
    return 'imported';
  }
}

async function readRegistrant(registry: RegistryPort, name: DomainName): Promise<Registrant | null> {
  try {
    return (await registry.registrant(name)) ?? null;
  } catch (error) {
    if (error instanceof RegistryRejected) return null;
    throw error;
  }
}
