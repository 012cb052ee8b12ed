import {
  RegistryInconclusive,
  RegistryRejected,
  RegistryUnavailable,
  unsupportedBy,
} from '../../../../application/ports/registry/registry-errors';
import type {
  RegistryTransfer,
  RegistryTransfers,
  TransferRequest,
} from '../../../../application/ports/registry/registry-transfers';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { RegistrationTerm } from '../../../../domain/registration/registration-term';
import type { RegistryFeature, TldPolicies } from '../../../../domain/registration/names/tld-policy';
import type { Money } from '../../../../domain/shared/money';
import { parseResponse } from '../mapping/protocol-error';
import { commandContacts } from '../mapping/commands/domain-commands';
import type { EppResponse } from '../mapping/response';
import { AMBIGUOUS, detailsOf, isSuccess, rejectionOf, RESULT } from '../mapping/result-codes';
import {
  decideTransfer,
  queryTransfer,
  releaseDomain,
  requestTransfer,
  transferOf,
  type EppTransferDecision,
} from '../mapping/transfers';
import type { EppClient } from '../session/epp-client';
import type { RegistryProfile } from '../profiles/profile';
import type { EppContacts, RegistrantContact } from './epp-contacts';
import type { EppPricing, EppTld } from './epp-pricing';

export interface EppTransferSettings {
  readonly clientId: string;
  /** What the registry lacks. */
  readonly unsupported: readonly RegistryFeature[];
  readonly currency: string;
  readonly profile: Pick<RegistryProfile, 'transfers' | 'timeZone' | 'release'>;
}

/** Codes of a transfer query without a transfer that concerns us. */
const NO_TRANSFER: ReadonlySet<number> = new Set([
  RESULT.notSponsor,
  RESULT.invalidAuthCode,
  RESULT.noTransferPending,
  RESULT.missing,
]);

/** Transfers of domains between registrars (RFC 5731 sections 3.1.3 and 3.2.4). */
export class EppTransfers implements RegistryTransfers {
  constructor(
    private readonly client: EppClient,
    private readonly tlds: TldPolicies<EppTld>,
    private readonly pricing: EppPricing,
    private readonly contacts: EppContacts,
    private readonly settings: EppTransferSettings,
  ) {}

  async transferPrice(name: DomainName, term?: RegistrationTerm): Promise<Money> {
    this.require('transfer_in', 'transfers in');
    if (!this.settings.profile.transfers.charged) return { minor: 0, currency: this.settings.currency };
    return this.pricing.transferPrice(name, term);
  }

  async requestTransfer({
    name,
    term: { years },
    registrant,
    authCode,
    price,
    transactionId,
  }: TransferRequest): Promise<RegistryTransfer> {
    this.require('transfer_in', 'transfers in');
    if (!this.tlds.forName(name))
      throw new RegistryRejected('not_held', `.${name.parent} is not a TLD of this registry`);
    return this.client.runCall(transactionId, async (ids) => {
      const { charged, period, contacts, authCode: code } = this.settings.profile.transfers;
      const agreedPrice = charged ? await this.pricing.confirmPrice(name, 'transfer', years, price) : undefined;
      const send = async (contact?: RegistrantContact) => {
        const command = requestTransfer(
          name.value,
          period === 'sent' ? years : undefined,
          code === 'sent' ? authCode : undefined,
          agreedPrice,
        );
        const named = commandContacts(contact?.id, this.contacts.referencesTo(contact?.id));
        return this.client.send(contact ? { ...command, contacts: named } : command, ids.main());
      };
      const request = async (contact?: RegistrantContact, recreate?: () => Promise<RegistrantContact | undefined>) => {
        let response = await send(contact);
        if (response.code === RESULT.missing && contact && recreate) response = await send(await recreate());
        if (!isSuccess(response)) throw await this.toRequestError(response, name, years, agreedPrice);
        return this.transferIn(response, agreedPrice);
      };
      return contacts ? this.contacts.use(registrant, name, ids, request) : request();
    });
  }

  async transferStatus(name: DomainName): Promise<RegistryTransfer | undefined> {
    if (!this.tlds.forName(name)) return undefined;
    const response = await this.client.send(queryTransfer(name.value));
    if (NO_TRANSFER.has(response.code)) return undefined;
    if (!isSuccess(response)) throw new RegistryInconclusive(detailsOf(response));
    return this.transferOf(response);
  }

  async cancelTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    this.require('cancel_transfer', 'cancelling a transfer');
    return this.decide(name, 'cancel', transactionId);
  }

  async approveTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    this.require('decide_transfer', 'approving a transfer');
    return this.decide(name, 'approve', transactionId);
  }

  async rejectTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    this.require('decide_transfer', 'rejecting a transfer');
    return this.decide(name, 'reject', transactionId);
  }

  async release(name: DomainName, registrarTag: string, transactionId: string): Promise<void> {
    const { profile, clientId } = this.settings;
    if (!profile.release) throw unsupportedBy('The registry', 'releases to another registrar');
    if (registrarTag === clientId) throw new RegistryRejected('policy', `${registrarTag} is our own tag`);
    const command = releaseDomain(profile.release(name.value, registrarTag));
    await this.client.runCall(transactionId, (ids) => this.client.sendOrThrow(command, ids.main()));
  }

  private async decide(
    name: DomainName,
    decision: EppTransferDecision,
    transactionId: string,
  ): Promise<RegistryTransfer> {
    return this.client.runCall(transactionId, async (ids) =>
      this.transferIn(await this.client.sendOrThrow(decideTransfer(name.value, decision), ids.main())),
    );
  }

  private transferIn(response: EppResponse, agreed?: Money): RegistryTransfer {
    const transfer = this.transferOf(response, agreed);
    if (!transfer) throw new RegistryUnavailable("The registry's response is about other registrars");
    return transfer;
  }

  private transferOf(response: EppResponse, agreed?: Money): RegistryTransfer | undefined {
    const { clientId, profile } = this.settings;
    return parseResponse(() => transferOf(response, clientId, agreed, profile.timeZone));
  }

  /**
   * RFC 5730 section 3: 2201 says that we may not execute the command, and 2202 that the auth code is wrong. We sponsor no name
   * that we request, so 2201 is a rule, like 60 days after a registration; some registries send it for a wrong auth code, too.
   */
  private async toRequestError(
    response: EppResponse,
    name: DomainName,
    years: number,
    price: Money | undefined,
  ): Promise<RegistryRejected> {
    if (response.code === RESULT.notSponsor)
      return new RegistryRejected(
        'policy',
        `${detailsOf(response)}. Check the auth code, and whether the name was registered or transferred in the last 60 days`,
      );
    const diagnosed = AMBIGUOUS.has(response.code)
      ? await this.pricing.diagnoseRejection(name, 'transfer', years, price)
      : undefined;
    return diagnosed ?? rejectionOf(response);
  }

  private require(feature: RegistryFeature, what: string): void {
    if (this.settings.unsupported.includes(feature)) throw unsupportedBy('The registry', what);
  }
}
