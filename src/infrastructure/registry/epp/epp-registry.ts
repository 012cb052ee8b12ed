import type { Clock, Log } from '../../../application/ports/system';
import { unsupportedBy } from '../../../application/ports/registry/registry-errors';
import type {
  AuthCode,
  Availability,
  ChargedDomain,
  GlueHost,
  RenewalPrices,
  RegistrationRequest,
  RegistryDomain,
  RegistryMessage,
} from '../../../application/ports/registry/registry-port';
import type { NamePage } from '../../../application/ports/registry/registries';
import type { RegistryTransfer, TransferRequest } from '../../../application/ports/registry/registry-transfers';
import type { DsRecord } from '../../../domain/dns/delegation/ds-record';
import type { DomainName } from '../../../domain/shared/domain-name';
import type { Nameservers } from '../../../domain/registration/nameservers';
import type { Registrant } from '../../../domain/registration/registrant';
import type { RegistrationTerm } from '../../../domain/registration/registration-term';
import { TldPolicies, type RegistryFeature, type TldPolicy } from '../../../domain/registration/names/tld-policy';
import type { Money } from '../../../domain/shared/money';
import type { RegistryAdapter, StoredValues } from '../registry-adapter';
import { LimitedRegistry } from '../limited-registry';
import type { EppClient } from './session/epp-client';
import { EppAuthCodes } from './objects/epp-auth-codes';
import { EppContacts } from './objects/epp-contacts';
import { EppListing } from './objects/epp-listing';
import { EppDsRecords } from './objects/epp-ds-records';
import { EppTransfers, type EppTransferSettings } from './objects/epp-transfers';
import { EppDelegation } from './objects/epp-delegation';
import { EppDomains } from './objects/epp-domains';
import { EppPricing, type EppTld } from './objects/epp-pricing';
import { EppPurchases } from './objects/epp-purchases';
import { EppMessageQueue } from './session/epp-message-queue';
import { EppRegistrants } from './objects/epp-registrants';
import { EppRestores } from './objects/epp-restores';
import { EppScheduledDeletions } from './objects/epp-scheduled-deletions';
import { TRANSFER_LOCK, updateDomain } from './mapping/commands/domain-commands';
import { isSuccess, rejectionOf } from './mapping/result-codes';
import type { RegistryProfile } from './profiles/profile';

export interface EppRegistrySettings extends EppTransferSettings {
  /** The service's currency, ISO 4217. */
  readonly currency: string;
  readonly tlds: readonly EppTld[];
  readonly profile: RegistryProfile;
  /** Host and port. */
  readonly server: string;
  /** A file with our names, for a registry that lists none. */
  readonly namesFile: string | undefined;
}

/**
 * EPP client adapter (RFC 5730 to 5734), with the extensions rgp (RFC 3915), secDNS (RFC 5910) and fee (RFC 8748) if the
 * registry offers them.
 */
export class EppRegistry extends LimitedRegistry implements RegistryAdapter {
  protected readonly vendor = 'The registry';
  private readonly tlds: TldPolicies<EppTld>;
  private readonly domains: EppDomains;
  private readonly contacts: EppContacts;
  private readonly registrants: EppRegistrants;
  private readonly delegation: EppDelegation;
  private readonly pricing: EppPricing;
  private readonly purchases: EppPurchases;
  private readonly restores: EppRestores;
  private readonly queue: EppMessageQueue;
  private readonly transfers: EppTransfers;
  private readonly objects: EppDsRecords;
  private readonly listing: EppListing;
  private readonly authCodes: EppAuthCodes;
  private readonly deletions: EppScheduledDeletions;

  constructor(
    private readonly client: EppClient,
    private readonly settings: EppRegistrySettings,
    clock: Clock,
    log: Log,
    stored?: StoredValues,
  ) {
    super();
    const { profile, clientId, server } = settings;
    this.tlds = new TldPolicies(settings.tlds);
    this.domains = new EppDomains(client, this.tlds, clientId, clock, profile);
    const { contacts } = profile;
    const scope = JSON.stringify([server, profile.options, contacts.disclose, contacts.postalInfo]);
    this.contacts = new EppContacts(client, { clientId, profile, scope }, clock, log, stored);
    this.registrants = new EppRegistrants(client, this.domains, this.contacts, profile.hosts);
    this.delegation = new EppDelegation(client, profile.hosts, this.domains);
    this.pricing = new EppPricing(client, this.tlds, { ...settings, namesPerCheck: profile.namesPerCheck }, log);
    this.purchases = new EppPurchases(
      client,
      this.tlds,
      this.domains,
      this.contacts,
      this.delegation,
      this.pricing,
      profile,
    );
    this.restores = new EppRestores(client, this.domains, this.pricing, clock);
    this.deletions = new EppScheduledDeletions(client, this.domains, clock);
    this.transfers = new EppTransfers(client, this.tlds, this.pricing, this.contacts, settings);
    this.objects = new EppDsRecords(client, this.domains, profile.dnssec);
    this.authCodes = new EppAuthCodes(client, this.tlds, profile, clock);
    this.listing = new EppListing(this.domains, settings.namesFile);
    this.queue = new EppMessageQueue(
      client,
      clientId,
      clock,
      (name) => this.domains.find(name),
      (name) => this.tlds.forName(name) !== undefined,
      profile.timeZone,
    );
  }

  /** Deletes contacts that earlier calls left at the registry. */
  async deleteLeftContacts(): Promise<void> {
    return this.contacts.deleteLeft();
  }

  policies(): readonly TldPolicy[] {
    return this.settings.tlds;
  }

  async check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]> {
    return this.pricing.check(names, term);
  }

  async price(name: DomainName, term?: RegistrationTerm): Promise<RenewalPrices> {
    return this.pricing.price(name, term);
  }

  async info(name: DomainName, authCode?: string): Promise<RegistryDomain | undefined> {
    return this.domains.find(name, authCode);
  }

  async registrant(name: DomainName): Promise<Registrant | undefined> {
    return this.registrants.find(name);
  }

  async register(request: RegistrationRequest): Promise<ChargedDomain> {
    return this.purchases.register(request);
  }

  async renew(
    name: DomainName,
    currentExpiry: Date,
    term: RegistrationTerm,
    transactionId: string,
    price?: Money,
  ): Promise<ChargedDomain> {
    this.require('renewal', 'renewals on command');
    return this.purchases.renew(name, currentExpiry, term, transactionId, price);
  }

  async setNameservers(
    name: DomainName,
    nameservers: Nameservers,
    glue: readonly GlueHost[],
    transactionId: string,
  ): Promise<RegistryDomain> {
    return this.client.runCall(transactionId, async (ids) => {
      await this.delegation.replace(name, nameservers.hosts, glue, ids);
      return this.domains.readBack(name);
    });
  }

  async setGlue(name: DomainName, glue: readonly GlueHost[], transactionId: string): Promise<void> {
    return this.client.runCall(transactionId, (ids) => this.delegation.updateGlue(name, glue, ids));
  }

  async setRegistrant(name: DomainName, registrant: Registrant, transactionId: string): Promise<void> {
    this.require('registrant_change', 'changes of the registrant');
    return this.registrants.replace(name, registrant, transactionId);
  }

  async setTransferLock(name: DomainName, locked: boolean, transactionId: string): Promise<RegistryDomain> {
    this.require('transfer_lock', 'transfer locks');
    return this.client.runCall(transactionId, async (ids) => {
      const { statuses } = await this.domains.requireSponsored(name);
      if (statuses.has(TRANSFER_LOCK) !== locked) {
        const change = { statuses: [TRANSFER_LOCK] };
        const response = await this.client.send(
          updateDomain(name.value, locked ? { add: change } : { remove: change }, this.settings.profile.hosts),
          ids.main(),
        );
        if (!isSuccess(response) && (await this.domains.requireSponsored(name)).statuses.has(TRANSFER_LOCK) !== locked)
          throw rejectionOf(response);
      }
      return this.domains.readBack(name);
    });
  }

  override async setRegistrarRenewal(name: DomainName, enabled: boolean, transactionId: string): Promise<void> {
    this.require('registrar_renewal', 'deletions at the expiry');
    return this.deletions.change(name, enabled ? 'cancelled' : 'scheduled', transactionId);
  }

  async issueAuthCode(name: DomainName, transactionId: string): Promise<AuthCode> {
    return this.authCodes.issue(name, transactionId);
  }

  async withdrawAuthCode(name: DomainName, transactionId: string): Promise<void> {
    return this.authCodes.withdraw(name, transactionId);
  }

  async restore(name: DomainName, price: Money, transactionId: string): Promise<ChargedDomain> {
    this.require('restore', 'restores');
    return this.client.runCall(transactionId, (ids) => this.restores.restore(name, price, ids));
  }

  async delete(name: DomainName, transactionId: string): Promise<RegistryDomain | undefined> {
    return this.client.runCall(transactionId, async (ids) => {
      await this.delegation.deleteDomain(name, ids);
      return this.domains.find(name);
    });
  }

  override async transferPrice(name: DomainName, term?: RegistrationTerm): Promise<Money> {
    return this.transfers.transferPrice(name, term);
  }

  override async requestTransfer(request: TransferRequest): Promise<RegistryTransfer> {
    return this.transfers.requestTransfer(request);
  }

  override async transferStatus(name: DomainName): Promise<RegistryTransfer | undefined> {
    return this.transfers.transferStatus(name);
  }

  override async cancelTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.transfers.cancelTransfer(name, transactionId);
  }

  override async approveTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.transfers.approveTransfer(name, transactionId);
  }

  override async rejectTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer> {
    return this.transfers.rejectTransfer(name, transactionId);
  }

  async release(name: DomainName, registrarTag: string, transactionId: string): Promise<void> {
    return this.transfers.release(name, registrarTag, transactionId);
  }

  override async dsRecords(name: DomainName): Promise<readonly DsRecord[]> {
    return this.objects.find(name);
  }

  override async setDsRecords(
    name: DomainName,
    dsRecords: readonly DsRecord[],
    transactionId: string,
  ): Promise<readonly DsRecord[]> {
    return this.objects.replace(name, dsRecords, transactionId);
  }

  override async list(cursor?: string): Promise<NamePage> {
    return this.listing.list(cursor);
  }

  async poll(): Promise<RegistryMessage | undefined> {
    return this.queue.poll();
  }

  async acknowledge(messageId: string): Promise<void> {
    await this.queue.acknowledge(messageId);
  }

  private require(feature: RegistryFeature, what: string): void {
    if (this.settings.unsupported.includes(feature)) throw unsupportedBy(this.vendor, what);
  }
}
