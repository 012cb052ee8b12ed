import type { NamePage } from '../../application/ports/registry/registries';
import { unsupportedBy } from '../../application/ports/registry/registry-errors';
import type { RegistryPort } from '../../application/ports/registry/registry-port';
import type { RegistryTransfer } from '../../application/ports/registry/registry-transfers';
import type { DsRecord } from '../../domain/dns/delegation/ds-record';
import type { RegistryFeature } from '../../domain/registration/names/tld-policy';
import type { Money } from '../../domain/shared/money';
import type { RegistryAdapter } from './registry-adapter';

type Optional =
  | 'list'
  | 'setRegistrarRenewal'
  | 'transferPrice'
  | 'requestTransfer'
  | 'transferStatus'
  | 'cancelTransfer'
  | 'approveTransfer'
  | 'rejectTransfer'
  | 'dsRecords'
  | 'setDsRecords'
  | 'hostedZone';

/** What `LimitedRegistry` alone lacks, for the policies of an adapter that overrides none of it. */
export const LIMITED_FEATURES: readonly RegistryFeature[] = [
  'list',
  'registrar_renewal',
  'transfer_in',
  'cancel_transfer',
  'decide_transfer',
  'delegation_signers',
  'hosted_zone',
];

/** Base of adapters: rejects every command that a vendor may lack as `unsupported`. Override what the vendor offers. */
export abstract class LimitedRegistry implements Pick<RegistryPort & RegistryAdapter, Optional> {
  /** The vendor's name, for messages. */
  protected abstract readonly vendor: string;

  async list(..._given: Parameters<RegistryAdapter['list']>): Promise<NamePage> {
    throw unsupportedBy(this.vendor, 'listing names');
  }

  async setRegistrarRenewal(..._given: Parameters<RegistryPort['setRegistrarRenewal']>): Promise<void> {
    throw unsupportedBy(this.vendor, 'renewal by the registrar');
  }

  async transferPrice(..._given: Parameters<RegistryPort['transferPrice']>): Promise<Money> {
    throw unsupportedBy(this.vendor, 'transfers in');
  }

  async requestTransfer(..._given: Parameters<RegistryPort['requestTransfer']>): Promise<RegistryTransfer> {
    throw unsupportedBy(this.vendor, 'transfers in');
  }

  async transferStatus(..._given: Parameters<RegistryPort['transferStatus']>): Promise<RegistryTransfer | undefined> {
    return undefined;
  }

  async cancelTransfer(..._given: Parameters<RegistryPort['cancelTransfer']>): Promise<RegistryTransfer> {
    throw unsupportedBy(this.vendor, 'cancelling a transfer');
  }

  async approveTransfer(..._given: Parameters<RegistryPort['approveTransfer']>): Promise<RegistryTransfer> {
    throw unsupportedBy(this.vendor, 'approving a transfer');
  }

  async rejectTransfer(..._given: Parameters<RegistryPort['rejectTransfer']>): Promise<RegistryTransfer> {
    throw unsupportedBy(this.vendor, 'rejecting a transfer');
  }

  async dsRecords(..._given: Parameters<RegistryPort['dsRecords']>): Promise<readonly DsRecord[]> {
    throw unsupportedBy(this.vendor, 'DS records');
  }

  async setDsRecords(..._given: Parameters<RegistryPort['setDsRecords']>): Promise<readonly DsRecord[]> {
    throw unsupportedBy(this.vendor, 'DS records');
  }

  async hostedZone(..._given: Parameters<RegistryPort['hostedZone']>): Promise<string | undefined> {
    return undefined;
  }
}
