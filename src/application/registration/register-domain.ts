import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import { Domain } from '../../domain/registration/domain';
import { DomainName } from '../../domain/registration/domain-name';
import { DomainUnavailable } from '../../domain/registration/errors';
import { Nameservers } from '../../domain/registration/nameservers';
import { Operation } from '../../domain/registration/operation';
import { assertRegistrant, type Registrant } from '../../domain/registration/registrant';
import { DEFAULT_YEARS, RegistrationTerm } from '../../domain/registration/registration-term';
import { TldPolicies } from '../../domain/registration/tld-policy';
import { times } from '../../domain/shared/money';
import { domainChanged } from '../audit/domain-audit';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationRunner } from '../operations/operation-runner';
import { Clock, LifecycleClock } from '../ports/clock';
import { IdGenerator } from '../ports/id-generator';
import { RegistryPort } from '../ports/registry-port';
import { UnitOfWork } from '../ports/unit-of-work';
import { RegistrationSettings } from './settings';

export interface RegisterDomainCommand extends Requester {
  readonly name: string;
  readonly years?: number | undefined;
  readonly registrant: Registrant;
  readonly nameservers?: readonly string[] | undefined;
  readonly autoRenew?: boolean | undefined;
}

/**
 * Accepts a registration: the pending domain, its zone and the operation are stored together; the registry is asked
 * afterwards.
 * @throws ValidationError, InvalidNameservers, DomainUnavailable; RegistryUnavailable, and then nothing is stored
 */
@injectable()
export class RegisterDomain {
  constructor(
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  async execute(command: RegisterDomainCommand): Promise<OperationOutcome> {
    const { accountId, actor, registrant, autoRenew = true } = command;
    const name = DomainName.parse(command.name);
    assertRegistrant(registrant, 'contacts.registrant');
    const term = RegistrationTerm.ofYears(command.years ?? DEFAULT_YEARS);
    const policy = this.policies.forName(name);
    if (!policy) throw new DomainUnavailable();
    term.within(policy);
    const nameservers = Nameservers.of(command.nameservers ?? this.settings.defaultNameservers, policy);
    const price = times(await this.priceOf(name), term.years);

    const domain = Domain.request({ id: this.ids.next('dom'), accountId, name, term, registrant, nameservers, autoRenew }, this.lifecycleClock.now());
    const request = { kind: 'register', years: term.years, price } as const;
    const operation = Operation.queue({ id: command.operationId ?? this.ids.next('op'), accountId, actor, domainId: domain.id, request }, this.clock.now());
    const requested = domainChanged({ at: this.clock.now(), actor, action: 'domain.requested', after: domain.toState() });
    await this.unitOfWork.run(async ({ audit, domains, zones, operations }) => {
      await domains.add(domain);
      await zones.create(domain.id, { actor, at: this.clock.now() });
      await operations.add(operation);
      await audit.append(requested);
    });
    this.runner.wake(domain.toState());
    return { domain, operation };
  }

  private async priceOf(name: DomainName) {
    const [offer] = await this.registry.check([name]);
    if (!offer?.available || !offer.price) throw new DomainUnavailable();
    return offer.price.registration;
  }
}
