import { inject, injectable } from 'inversify';
import type { Domain } from '../../domain/registration/domain';
import { Nameservers } from '../../domain/registration/nameservers';
import type { Operation, RequestOf } from '../../domain/registration/operation';
import { TldPolicies } from '../../domain/registration/tld-policy';
import { GlueAddresses } from '../dns/publishing/glue-addresses';
import { RegistryRejected } from '../ports/registry/registry-errors';
import { RegistryPort, type RegistryDomain } from '../ports/registry/registry-port';
import { Log } from '../ports/system/log';
import { inDoubt } from './resolve-before-retry';

const FEWEST_NAMESERVERS = 2;

/** Delegates domains at a registry, and keeps a refused command from leaving one without its nameservers. */
@injectable()
export class Delegations {
  constructor(
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(GlueAddresses) private readonly glue: GlueAddresses,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Returns the registry's facts afterwards. @throws RegistryRejected, RegistryUnavailable */
  async change(
    domain: Domain,
    { hosts }: RequestOf<'set_nameservers'>,
    { transactionId }: Operation,
  ): Promise<RegistryDomain> {
    return this.setNameservers(domain, hosts, transactionId);
  }

  /**
   * A registry may have carried out a part of a command that it refused. Returns what it holds after a refusal, once the
   * nameservers that we know are put back if it has too few left; undefined if it does not hold the domain for us.
   * @throws RegistryUnavailable: the refused command is to be repeated
   */
  async afterRefusal(domain: Domain, { transactionId }: Operation): Promise<RegistryDomain | undefined> {
    const held = await this.registry.info(domain.name).catch(inDoubt);
    if (
      !held?.sponsoredByUs ||
      held.phase === 'redemption' ||
      held.phase === 'pending_restore' ||
      held.phase === 'pending_delete'
    )
      return undefined;
    const known = domain.toState().nameservers;
    const fewest = Math.min(known.length, this.policies.forName(domain.name)?.nameservers.min ?? FEWEST_NAMESERVERS);
    return held.nameservers.length < fewest ? this.putBack(domain, known, transactionId) : held;
  }

  private async putBack(
    domain: Domain,
    known: readonly string[],
    transactionId: string,
  ): Promise<RegistryDomain | undefined> {
    try {
      return await this.setNameservers(domain, known, `${transactionId}-back`);
    } catch (error) {
      if (!(error instanceof RegistryRejected)) return inDoubt(error);
      this.log.error(
        { err: error, domainId: domain.id, nameservers: known },
        'the registry refused a command after it removed nameservers, and refuses to put them back: change the nameservers or contact the registry',
      );
      return this.registry.info(domain.name).catch(inDoubt);
    }
  }

  private async setNameservers(
    domain: Domain,
    hosts: readonly string[],
    transactionId: string,
  ): Promise<RegistryDomain> {
    return this.registry.setNameservers(
      domain.name,
      Nameservers.fromState(hosts),
      await this.glue.of(domain, hosts),
      transactionId,
    );
  }
}
