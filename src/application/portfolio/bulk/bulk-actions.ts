import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import {
  currentExpiryOf,
  isOrderStep,
  mostOf,
  type BulkDomainAction,
  type BulkItem,
  type DomainStep,
  type RegistrationAction,
} from '../../../domain/portfolio/bulk-job';
import type { DomainState } from '../../../domain/registration/domain';
import { ApplyTemplate } from '../../dns/templates/apply-template';
import { RollBackZone } from '../../dns/zones/history/roll-back-zone';
import { ImportZoneFile } from '../../dns/zones/zone-files/import-zone-file';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import { expecting, type Written } from '../../dns/zones/zone-request';
import { FindDomain } from '../../registration/find-domain';
import { RegisterDomain } from '../../registration/register-domain';
import { RenewDomain } from '../../registration/renew-domain';
import { TakeOverRenewal } from '../../registrar/take-over-renewal';
import { ChangeAutoRenewal } from '../../registration/settings/change-auto-renewal';
import { ChangeNameservers } from '../../registration/settings/change-nameservers';
import { ChangeRegistrant } from '../../registration/settings/change-registrant';
import { ChangeTransferLock } from '../../registration/settings/change-transfer-lock';
import { ChangeTags } from '../change-tags';

const SETTINGS: readonly BulkDomainAction['kind'][] = ['auto_renewal', 'transfer_lock', 'nameservers', 'tags'];

/** The use cases that settings of a domain have. */
@injectable()
class SettingChanges {
  constructor(
    @inject(ChangeNameservers) readonly nameservers: ChangeNameservers,
    @inject(ChangeRegistrant) readonly registrant: ChangeRegistrant,
    @inject(ChangeTransferLock) readonly transferLock: ChangeTransferLock,
    @inject(ChangeTags) readonly tags: ChangeTags,
  ) {}
}

/** The use cases that change many records of a zone in one version. */
@injectable()
class RecordChanges {
  constructor(
    @inject(ApplyTemplate) readonly template: ApplyTemplate,
    @inject(ImportZoneFile) readonly zoneFile: ImportZoneFile,
    @inject(RollBackZone) readonly rollBack: RollBackZone,
  ) {}
}

/** Runs the action of a bulk job on one domain, by the use case of the single action. */
@injectable()
export class BulkActions {
  constructor(
    @inject(SettingChanges) private readonly settings: SettingChanges,
    @inject(ChangeAutoRenewal) private readonly changeAutoRenewal: ChangeAutoRenewal,
    @inject(TakeOverRenewal) private readonly takeOverRenewal: TakeOverRenewal,
    @inject(RegisterDomain) private readonly registerDomain: RegisterDomain,
    @inject(RenewDomain) private readonly renewDomain: RenewDomain,
    @inject(RecordChanges) private readonly records: RecordChanges,
    @inject(FindDomain) private readonly findDomain: FindDomain,
  ) {}

  /** The step that sets a setting of the domain back; null for anything else, and if it changes nothing. */
  async planUndo(step: DomainStep, requester: Requester & { readonly domainId: string }): Promise<DomainStep | null> {
    if (step.kind === 'roll_back' || step.kind === 'zone_file' || !SETTINGS.includes(step.kind)) return null;
    const find = step.kind === 'tags' ? 'ownedById' : 'byId';
    return inverse(step, (await this.findDomain[find](requester, 'settings')).toState());
  }

  /**
   * `onChange` runs in the transaction of a change that needs no operation, with the step that undoes it if only the change itself
   * tells that. With an operation, the command's `operationId` is its id. @throws the errors of the single action
   */
  async execute(
    action: DomainStep,
    command: Requester & { readonly domainId: string },
    onChange: TransactionHook<DomainStep | null>,
  ): Promise<void> {
    switch (action.kind) {
      case 'auto_renewal':
        return this.setAutoRenewal({ ...command, autoRenew: action.autoRenew }, (stores) => onChange(stores, null));
      case 'tags':
        await this.settings.tags.execute({ ...command, add: action.add, remove: action.remove }, (stores) =>
          onChange(stores, null),
        );
        return;
      case 'template': {
        const { templateId, values, template, version } = action;
        await this.records.template.execute(
          { ...command, templateId, values, template, ...expecting(version) },
          (stores, written) => onChange(stores, rollBackOf(written)),
        );
        return;
      }
      case 'zone_file': {
        const { text, mode, withProviderRecords, version } = action;
        await this.records.zoneFile.execute(
          { ...command, text, mode, withProviderRecords, ...expecting(version) },
          (stores, written) => onChange(stores, rollBackOf(written)),
        );
        return;
      }
      case 'roll_back': {
        const { version, expected } = action;
        await this.records.rollBack.execute({ ...command, version, expectedVersions: [expected] }, (stores) =>
          onChange(stores, null),
        );
        return;
      }
      case 'transfer_lock':
        await this.settings.transferLock.execute({ ...command, locked: action.locked });
        return;
      case 'nameservers':
        await this.settings.nameservers.execute({ ...command, hosts: action.hosts });
        return;
      case 'registrant':
        await this.settings.registrant.execute({ ...command, registrant: action.registrant });
        return;
      case 'renewal': {
        const currentExpiry = currentExpiryOf(action);
        await this.renewDomain.execute({
          ...command,
          years: action.years,
          limit: { maxPrice: mostOf(action) },
          ...(currentExpiry !== undefined && { currentExpiry: new Date(currentExpiry) }),
        });
      }
    }
  }

  /** Orders a name; the operation goes on. @throws the errors of the single registration */
  async register(
    { registrant, autoRenew, nameservers }: RegistrationAction,
    { name, operationId, ownAction }: Pick<BulkItem, 'name' | 'operationId' | 'ownAction'>,
    requester: Requester,
  ): Promise<void> {
    const { years, maxPrice, idnLanguage } = ownAction && isOrderStep(ownAction) ? ownAction : {};
    const order = { name, years, registrant, autoRenew, nameservers, idnLanguage, limit: { maxPrice } };
    await this.registerDomain.execute({ ...requester, ...order, operationId });
  }

  /** As `PUT /domains/{id}/autorenew`: what the registrar renews by itself is switched off there. */
  private async setAutoRenewal(
    command: Requester & { readonly domainId: string; readonly autoRenew: boolean },
    onChange: TransactionHook<unknown>,
  ): Promise<void> {
    const state = (await this.findDomain.byId(command, 'settings')).toState();
    const enabled = this.takeOverRenewal.registrarRenewalFor(state, command);
    if (enabled !== undefined) await this.takeOverRenewal.execute({ ...command, enabled });
    else await this.changeAutoRenewal.execute(command, onChange);
  }
}

/** Null if the zone had the records already. */
function rollBackOf({ isChanged, zoneVersion: expected }: Written<unknown>): DomainStep | null {
  return isChanged ? { kind: 'roll_back', version: expected - 1, expected } : null;
}

function inverse(action: BulkDomainAction, before: DomainState): BulkDomainAction | null {
  if (action.kind === 'auto_renewal')
    return before.autoRenew === action.autoRenew ? null : { kind: 'auto_renewal', autoRenew: before.autoRenew };
  if (action.kind === 'transfer_lock')
    return before.transferLocked === action.locked ? null : { kind: 'transfer_lock', locked: before.transferLocked };
  if (action.kind === 'nameservers')
    return before.nameservers.join() === action.hosts.join()
      ? null
      : { kind: 'nameservers', hosts: before.nameservers };
  if (action.kind !== 'tags') return null;
  const add = before.tags.filter((tag) => action.remove.includes(tag) && !action.add.includes(tag));
  const remove = action.add.filter((tag) => !before.tags.includes(tag));
  return add.length + remove.length === 0 ? null : { kind: 'tags', add, remove };
}
