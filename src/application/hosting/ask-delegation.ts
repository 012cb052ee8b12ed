import { inject, injectable } from '../ports/inject';
import { delegationOf, nextDelegationCheck, type DelegationState } from '../../domain/dns/delegation/delegation';
import { relativeOwnerName } from '../../domain/dns/records/record-name';
import { nextVerification } from '../../domain/dns/zone-names/zone-ownership';
import type { DomainState } from '../../domain/registration/domain';
import { ParentDelegations } from '../ports/dns/other-nameservers';
import { RecordReader } from '../ports/dns/zone-queries';
import { DomainReader, type OwnedDomain } from '../ports/registration/domain-repository';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../ports/system';
import { RegistrationSettings } from '../registration/registration-settings';

interface ParentSays {
  readonly state: DelegationState;
  readonly nameservers: readonly string[];
}

const MAX_NAMESERVERS = 13;

/** Asks the parent of a zone without a registration which nameservers it delegates to, and stores that. A repetition asks again. */
@injectable()
export class AskDelegation {
  constructor(
    @inject(ParentDelegations) private readonly delegations: Pick<ParentDelegations, 'find'>,
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'neighbors'>,
    @inject(RecordReader) private readonly records: Pick<RecordReader, 'page'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'domains' | 'zoneDelegations'>,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(zone: OwnedDomain): Promise<void> {
    await this.store(zone, await this.ask(zone));
  }

  /** After a failure: the zone must not hold up others. */
  async postpone(zone: OwnedDomain): Promise<void> {
    await this.store(zone, undefined);
  }

  /** If the zone above is here, its records are what the parent says. */
  private async ask({ name, accountId }: OwnedDomain): Promise<ParentSays> {
    const { above } = await this.domains.neighbors(name, accountId);
    if (above) {
      const relative = relativeOwnerName(name, above.name);
      const records = await this.records.page(above.id, { name: relative, type: 'NS' }, MAX_NAMESERVERS);
      return this.says(records.map(({ content }) => content));
    }
    const answer = await this.delegations.find(name);
    if (answer.kind === 'unknown') return { state: 'unknown', nameservers: [] };
    return this.says(answer.kind === 'delegated' ? answer.nameservers : []);
  }

  private says(nameservers: readonly string[]): ParentSays {
    const state = nameservers.length > 0 ? delegationOf(nameservers, this.settings.defaultNameservers) : 'none';
    return { state, nameservers: nameservers.toSorted() };
  }

  private async store({ id, accountId }: OwnedDomain, said: ParentSays | undefined): Promise<void> {
    await this.unitOfWork.run(async ({ domains, zoneDelegations }) => {
      const domain = await domains.lock(accountId, id);
      if (!domain?.isHosted) return;
      if (said) {
        const known = said.state === 'unknown' ? await zoneDelegations.find(id) : undefined;
        const nameservers = known?.nameservers ?? said.nameservers;
        await zoneDelegations.save({ ...said, domainId: id, accountId, nameservers, askedAt: this.clock.now() });
      }
      domain.schedule(nextCheck(domain.toState(), this.lifecycleClock.now()));
      await domains.save(domain);
    }, accountId);
  }
}

function nextCheck({ createdAt, status }: DomainState, now: Date): Date | null {
  return status === 'unverified' ? nextVerification(createdAt, now) : nextDelegationCheck(createdAt, now);
}
