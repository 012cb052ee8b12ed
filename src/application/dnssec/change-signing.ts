import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { delegationOf } from '../../domain/dns/delegation/delegation';
import { ZoneSigning } from '../../domain/dns/dnssec/zone-signing';
import type { Denial } from '../../domain/dns/dnssec/zone-signing-state';
import type { Domain } from '../../domain/registration/domain';
import { isServed } from '../../domain/registration/domain-status';
import { DomainStatusConflict } from '../../domain/shared/domain-errors';
import { assertNoApprovalNeeded } from '../access/approvals/approval-needed';
import { requireOwned } from '../access/require-domain';
import { signingChanged } from '../audit/signing-audit';
import { SecondaryDirectory } from '../ports/dns/publishing';
import { UnitOfWork, type HookStore, type Stores, type TransactionHook } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../ports/system';
import { RegistrationSettings } from '../registration/registration-settings';
import { assertSigningAllowed } from './assert-signing-allowed';
import { hasSignerRecords } from './signer-records';
import { SigningRunner } from './steps/signing-runner';

interface SigningCommand extends Requester {
  readonly domainId: string;
  readonly enabled: boolean;
  /** NSEC if absent. Cannot be changed while signing is on. */
  readonly denial?: Denial | undefined;
  /** The change is part of others: the nameservers that the domain has after them, and its registration may be queued. */
  readonly nameservers?: readonly string[] | undefined;
}

/** A domain, and its signing unless that is off. */
export interface SignedDomain {
  readonly domain: Domain;
  readonly signing: ZoneSigning | undefined;
}

/**
 * Switches DNSSEC on or off. Stores the wanted state; `SigningRunner` reaches it step by step. Repetition changes nothing, but tries
 * a failed step again. @throws LimitedKey, DomainNotFound, DomainStatusConflict
 */
@injectable()
export class ChangeSigning {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'audit' | 'domains' | 'zoneSignings' | 'zones' | HookStore>,
    @inject(SigningRunner) private readonly runner: Pick<SigningRunner, 'wake'>,
    @inject(SecondaryDirectory) private readonly secondaries: Pick<SecondaryDirectory, 'all'>,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(command: SigningCommand, hook?: TransactionHook<SignedDomain>): Promise<SignedDomain> {
    const signer = await this.signingSecondary(command);
    const changed = await this.unitOfWork.run(async (stores) => {
      const signed = await this.within(stores, command, signer);
      await hook?.(stores, signed);
      return signed;
    }, command.accountId);
    this.runner.wake(command.domainId);
    return changed;
  }

  /** The secondary that signs zones by itself, if signing is to be switched on. */
  async signingSecondary({ enabled }: Pick<SigningCommand, 'enabled'>): Promise<string | undefined> {
    return enabled ? (await this.secondaries.all()).find(({ signs }) => signs)?.name : undefined;
  }

  /** After the commit of `within`. */
  wake(domainId: string): void {
    this.runner.wake(domainId);
  }

  /** In a unit of work of the caller. @param signer as `signingSecondary` returns it @throws as `execute` */
  async within(
    stores: Pick<Stores, 'audit' | 'domains' | 'zoneSignings' | 'zones'>,
    command: SigningCommand,
    signer: string | undefined,
  ): Promise<SignedDomain> {
    const { accountId, actor, domainId, enabled } = command;
    const domain = requireOwned(await stores.domains.lock(accountId, domainId), { actor }, 'settings');
    assertSigningAllowed(domain);
    const { tags } = domain.toState();
    assertNoApprovalNeeded(actor, { kind: 'dnssec', tags }, () => ({
      kind: 'signing',
      domainId,
      enabled,
      denial: command.denial,
    }));
    const before = await stores.zoneSignings.lock(domainId);
    const shown = before?.shownState ?? 'off';
    const signing = enabled
      ? await this.enable(stores, { domain, signing: before }, command, signer)
      : await this.disable(stores, before);
    const after = signing?.shownState ?? 'off';
    if (shown !== after)
      await stores.audit.append(signingChanged({ at: this.clock.now(), actor, domain, before: shown, after }));
    return { domain, signing };
  }

  private async enable(
    { zones, zoneSignings }: Pick<Stores, 'zoneSignings' | 'zones'>,
    { domain, signing }: SignedDomain,
    { denial, nameservers }: SigningCommand,
    signer: string | undefined,
  ): Promise<ZoneSigning> {
    if (!signing?.isWanted) this.assertPossible(domain, signer, nameservers);
    const now = this.lifecycleClock.now();
    if (!signing) {
      // A change of records reads whether DNSSEC is on while it has this lock.
      await zones.lock(domain.id);
      if (await hasSignerRecords(zones, domain.id))
        throw new DomainStatusConflict(
          'While DNSSEC is on, the service publishes the DNSKEY, CDS and CDNSKEY records at the apex. Remove yours first',
        );
      const requested = ZoneSigning.request(domain.id, denial ?? 'nsec', now);
      await zoneSignings.add(requested);
      return requested;
    }
    const { denial: present } = signing.toState();
    if (denial && denial !== present)
      throw new DomainStatusConflict(
        `The zone is signed with ${present.toUpperCase()}. Switch DNSSEC off to change that`,
      );
    signing.enable(now);
    await zoneSignings.save(signing);
    return signing;
  }

  private async disable(
    { zoneSignings }: Pick<Stores, 'zoneSignings'>,
    signing: ZoneSigning | undefined,
  ): Promise<ZoneSigning | undefined> {
    if (!signing) return undefined;
    const isOff = signing.disable(this.lifecycleClock.now());
    if (isOff) await zoneSignings.remove(signing.domainId);
    else await zoneSignings.save(signing);
    return isOff ? undefined : signing;
  }

  /** Before anything is published: what would fail later, at the registry or in resolvers. */
  private assertPossible(domain: Domain, signer: string | undefined, planned?: readonly string[]): void {
    const { nameservers, status } = domain.toState();
    const { defaultNameservers } = this.settings;
    if (!isServed(status) && !(planned && status === 'pending'))
      throw new DomainStatusConflict(`DNSSEC can be switched on when the domain is active; its status is ${status}`);
    if (delegationOf(planned ?? nameservers, defaultNameservers) !== 'ours')
      throw new DomainStatusConflict(
        `DNSSEC can be switched on when the nameservers of the domain are ${defaultNameservers.join(', ')}. For a zone that other nameservers sign, set its DS records instead`,
      );
    if (signer !== undefined)
      throw new DomainStatusConflict(
        `The secondary ${signer} signs all zones (--signs), so the service must not sign them, too. Ask the operator`,
      );
  }
}
