import { inject, injectable } from '../ports/inject';
import type { CommitStore, Stores } from '../ports/storage/unit-of-work';
import type { Requester } from '../../domain/access/actor';
import type { SettingName, SettingValues } from '../../domain/portfolio/desired-state';
import type { Domain } from '../../domain/registration/domain';
import type { Operation } from '../../domain/registration/operations/operation';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { ChangeSigning } from '../dnssec/change-signing';
import { OperationQueue, type OperationChange } from '../operations/operation-queue';
import { ChangeTags } from '../portfolio/change-tags';
import { TakeOverRenewal } from '../registrar/take-over-renewal';
import { ChangeAutoRenewal } from '../registration/settings/change-auto-renewal';
import { nameserversChange } from '../registration/settings/change-nameservers';
import { registrantChange } from '../registration/settings/change-registrant';
import { transferLockChange } from '../registration/settings/change-transfer-lock';

type OwnRequester = Requester & { readonly domainId: string };

interface SettingStep {
  readonly domain: Domain;
  readonly name: SettingName;
  /** The settings after the whole state. */
  readonly after: SettingValues;
  readonly signer: string | undefined;
}

/** Changes one setting as its own endpoint does, in a unit of work of the caller. */
@injectable()
export class SettingSteps {
  constructor(
    @inject(OperationQueue) private readonly operations: Pick<OperationQueue, 'queue' | 'wake'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(TakeOverRenewal) private readonly takeOverRenewal: Pick<TakeOverRenewal, 'change' | 'registrarRenewalFor'>,
    @inject(ChangeAutoRenewal) private readonly changeAutoRenewal: Pick<ChangeAutoRenewal, 'within'>,
    @inject(ChangeTags) private readonly changeTags: Pick<ChangeTags, 'within'>,
    @inject(ChangeSigning) private readonly changeSigning: Pick<ChangeSigning, 'within'>,
  ) {}

  /** Returns the operation that it takes; undefined if only our data changes. @throws the errors of the single change */
  async apply(
    stores: Pick<Stores, CommitStore>,
    requester: OwnRequester,
    step: SettingStep,
  ): Promise<Operation | undefined> {
    const { nameservers, registrant, transferLocked, autoRenew, tags, dnssec } = step.after;
    const queue = async (change: OperationChange) =>
      (await this.operations.queue(stores, { ...requester, operationId: undefined, ...change })).operation;
    if (step.name === 'nameservers') return queue(nameserversChange(nameservers, this.policies));
    if (step.name === 'registrant' && registrant) return queue(registrantChange(registrant, this.policies));
    if (step.name === 'transferLocked') return queue(transferLockChange(transferLocked, requester, this.policies));
    if (step.name === 'autoRenew') {
      const enabled = this.takeOverRenewal.registrarRenewalFor(step.domain.toState(), { autoRenew });
      if (enabled !== undefined) return queue(this.takeOverRenewal.change({ autoRenew, enabled }));
      await this.changeAutoRenewal.within(stores, { ...requester, autoRenew });
    }
    if (step.name === 'tags') await this.changeTags.within(stores, { ...requester, tags });
    if (step.name === 'dnssec')
      await this.changeSigning.within(
        stores,
        { ...requester, nameservers, enabled: dnssec.enabled, denial: dnssec.denial ?? undefined },
        step.signer,
      );
    return undefined;
  }

  wake(domain: Domain): void {
    this.operations.wake(domain);
  }
}
