import { inject, injectable } from '../../ports/inject';
import type { Domain } from '../../../domain/registration/domain';
import { areSameHosts, Nameservers } from '../../../domain/registration/nameservers';
import type { Operation } from '../../../domain/registration/operations/operation';
import type { RequestOf } from '../../../domain/registration/operations/operation-request';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import { GlueAddresses, type SentGlue } from '../../publishing/glue-addresses';
import { AccountRegistries } from '../../ports/registry/registries';
import { RegistryRejected } from '../../ports/registry/registry-errors';
import type { GlueHost, RegistryDomain, RegistryPort } from '../../ports/registry/registry-port';
import { Log } from '../../ports/system';
import { rethrowAsUnknown } from '../resolve-before-retry';

const FEWEST_NAMESERVERS = 2;

/** Changes delegations at the registry, and restores the nameservers if a rejected command removed them. */
@injectable()
export class Delegations {
  constructor(
    @inject(AccountRegistries) private readonly registries: AccountRegistries,
    @inject(GlueAddresses) private readonly glue: GlueAddresses,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(Log) private readonly log: Log,
  ) {}

  /** The addresses of a new domain's nameservers, as far as they are known. */
  async readGlue(domain: Domain): Promise<readonly SentGlue[]> {
    return this.glue.of(domain, domain.toState().nameservers);
  }

  /** Returns the registry's data after the change, and the sent addresses. @throws RegistryRejected, RegistryUnavailable */
  async change(
    domain: Domain,
    { hosts }: RequestOf<'set_nameservers'>,
    { transactionId }: Operation,
  ): Promise<{ readonly facts: RegistryDomain; readonly glue: readonly SentGlue[] }> {
    const glue = await this.glue.of(domain, hosts);
    return { facts: await this.setNameservers(domain, hosts, transactionId, glue), glue };
  }

  /** Sends the registry the present addresses of hosts. One without addresses keeps its last ones there. */
  async updateGlue(domain: Domain, hosts: readonly string[], { transactionId }: Operation): Promise<void> {
    const glue = await this.glue.of(domain, hosts);
    if (glue.length > 0) await this.registryOf(domain).setGlue?.(domain.name, glue.map(toGlueHost), transactionId);
  }

  /**
   * Sets the nameservers of a registration that was interrupted before them: some registrars take them in a command of their
   * own. Returns the registry's data; if it rejects the nameservers, those that it has.
   */
  async ensure(domain: Domain, held: RegistryDomain, { transactionId }: Operation): Promise<RegistryDomain> {
    const { nameservers } = domain.toState();
    if (held.phase !== 'registered' || areSameHosts(held.nameservers, nameservers)) return held;
    try {
      return await this.setNameservers(domain, nameservers, `${transactionId}-ns`);
    } catch (error) {
      if (error instanceof RegistryRejected) return held;
      throw error;
    }
  }

  /**
   * Repairs the delegation after a rejected command, part of which the registry may have applied. If too few nameservers are
   * left, sets the known ones again. Returns the registry's data; undefined if the domain is not ours or is being deleted.
   * @throws RegistryUnavailable: the rejected command must be repeated
   */
  async repairAfterRejection(domain: Domain, { transactionId }: Operation): Promise<RegistryDomain | undefined> {
    const held = await this.registryOf(domain).info(domain.name).catch(rethrowAsUnknown);
    if (
      !held?.sponsoredByUs ||
      held.phase === 'redemption' ||
      held.phase === 'pending_restore' ||
      held.phase === 'pending_delete'
    )
      return undefined;
    const known = domain.toState().nameservers;
    const fewest = Math.min(known.length, this.policies.forName(domain.name)?.nameservers.min ?? FEWEST_NAMESERVERS);
    return held.nameservers.length < fewest ? this.setAgain(domain, known, transactionId) : held;
  }

  private async setAgain(
    domain: Domain,
    known: readonly string[],
    transactionId: string,
  ): Promise<RegistryDomain | undefined> {
    try {
      return await this.setNameservers(domain, known, `${transactionId}-back`);
    } catch (error) {
      if (!(error instanceof RegistryRejected)) return rethrowAsUnknown(error);
      this.log.error(
        { err: error, domainId: domain.id, nameservers: known },
        'the registry rejected a command after it removed nameservers, and rejects setting them again: change the nameservers or contact the registry',
      );
      return this.registryOf(domain).info(domain.name).catch(rethrowAsUnknown);
    }
  }

  private async setNameservers(
    domain: Domain,
    hosts: readonly string[],
    transactionId: string,
    glue?: readonly SentGlue[],
  ): Promise<RegistryDomain> {
    const sent = glue ?? (await this.glue.of(domain, hosts));
    return this.registryOf(domain).setNameservers(
      domain.name,
      Nameservers.fromState(hosts),
      sent.map(toGlueHost),
      transactionId,
    );
  }

  private registryOf({ accountId }: Domain): RegistryPort {
    return this.registries.forAccount(accountId);
  }
}

export function toGlueHost({ host, addresses }: SentGlue): GlueHost {
  return { host, addresses };
}
