import type { Clock } from '../../../application/ports/system/clock';
import type { Log } from '../../../application/ports/system/log';
import { RegistryRejected } from '../../../application/ports/registry/registry-errors';
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
import type { NamePage } from '../../../application/ports/registry/name-listings';
import type { RegistryTransfer, TransferRequest } from '../../../application/ports/registry/registry-transfers';
import type { DelegationSigner } from '../../../domain/dns/delegation-signer';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { Nameservers } from '../../../domain/registration/nameservers';
import type { Registrant } from '../../../domain/registration/registrant';
import type { RegistrationTerm } from '../../../domain/registration/registration-term';
import { TldPolicies, type TldPolicy } from '../../../domain/registration/tld-policy';
import { addDays } from '../../../domain/shared/calendar';
import type { Money } from '../../../domain/shared/money';
import type { RegistryAdapter } from '../registry-adapter';
import { LimitedRegistry } from '../limited-registry';
import type { EppClient } from './session/epp-client';
import { EppContacts, type ContactSettings } from './objects/epp-contacts';
import { EppListing } from './objects/epp-listing';
import { EppSigners } from './objects/epp-signers';
import { EppTransfers, type EppTransferSettings } from './objects/epp-transfers';
import { EppDelegation } from './objects/epp-delegation';
import { EppDomains } from './objects/epp-domains';
import { EppPricing, type EppTld } from './objects/epp-pricing';
import { EppPurchases, TRANSFER_LOCK } from './objects/epp-purchases';
import { EppMessageQueue } from './session/epp-message-queue';
import { EppRestores } from './objects/epp-restores';
import { deleteDomain, updateDomain, type HostMode } from './mapping/commands/domain-commands';
import type { DomainInfo } from './mapping/domain-data';
import type { SignerMode } from './mapping/security';
import { isSuccess, rejectionOf, RESULT } from './mapping/result-codes';
import { generateAuthCode } from './objects/auth-code';

export interface EppRegistrySettings extends ContactSettings, EppTransferSettings {
  /** The service's currency, ISO 4217. */
  readonly currency: string;
  readonly hostMode: HostMode;
  readonly namesPerCheck: number;
  readonly tlds: readonly EppTld[];
  /** How the registry takes DS records; undefined if it does not. */
  readonly signerMode: SignerMode | undefined;
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
  private readonly delegation: EppDelegation;
  private readonly pricing: EppPricing;
  private readonly purchases: EppPurchases;
  private readonly restores: EppRestores;
  private readonly queue: EppMessageQueue;
  private readonly transfers: EppTransfers;
  private readonly signers: EppSigners;
  private readonly listing: EppListing;

  constructor(
    private readonly client: EppClient,
    private readonly settings: EppRegistrySettings,
    private readonly clock: Clock,
    log: Log,
  ) {
    super();
    this.tlds = new TldPolicies(settings.tlds);
    this.domains = new EppDomains(client, this.tlds, settings.clientId, clock);
    this.contacts = new EppContacts(client, settings);
    this.delegation = new EppDelegation(client, settings.hostMode, this.domains);
    this.pricing = new EppPricing(client, this.tlds, settings, log);
    this.purchases = new EppPurchases(
      client,
      this.tlds,
      this.domains,
      this.contacts,
      this.delegation,
      this.pricing,
      settings.hostMode,
    );
    this.restores = new EppRestores(client, this.domains, this.pricing, clock);
    this.transfers = new EppTransfers(client, this.tlds, this.pricing, settings);
    this.signers = new EppSigners(client, this.domains, settings.signerMode);
    this.listing = new EppListing(this.domains, settings.namesFile);
    this.queue = new EppMessageQueue(client, settings.clientId, clock, (name) => this.domains.find(name));
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

  async info(name: DomainName): Promise<RegistryDomain | undefined> {
    return this.domains.find(name);
  }

  async registrant(name: DomainName): Promise<Registrant | undefined> {
    const id = (await this.domains.findSponsored(name))?.registrant;
    return id === undefined ? undefined : this.contacts.find(id);
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
    return this.purchases.renew(name, currentExpiry, term, transactionId, price);
  }

  async setNameservers(
    name: DomainName,
    nameservers: Nameservers,
    glue: readonly GlueHost[],
    transactionId: string,
  ): Promise<RegistryDomain> {
    return this.client.runCall(transactionId, async (ids) => {
      const present = await this.domains.requireSponsored(name);
      await this.delegation.replace(
        name,
        present,
        this.delegation.delegatedHosts(name, nameservers.hosts, glue, present),
        ids,
      );
      return this.domains.readBack(name);
    });
  }

  async setRegistrant(name: DomainName, registrant: Registrant, transactionId: string): Promise<void> {
    return this.client.runCall(transactionId, async (ids) => {
      const present = await this.domains.requireSponsored(name);
      const registrantId = await this.contacts.ensure(registrant, ids);
      if (registrantId === undefined) return;
      const update = (current: DomainInfo) =>
        this.client.send(
          updateDomain(
            name.value,
            { registrant: registrantId, ...this.contacts.changesTo(current, registrantId) },
            this.settings.hostMode,
          ),
          ids.main(),
        );

      let response = await update(present);
      if (response.code === RESULT.missing) {
        await this.contacts.recreate(registrant, ids);
        response = await update(await this.domains.requireSponsored(name));
      }
      if (!isSuccess(response)) throw rejectionOf(response);
    });
  }

  async setTransferLock(name: DomainName, locked: boolean, transactionId: string): Promise<RegistryDomain> {
    return this.client.runCall(transactionId, async (ids) => {
      const { statuses } = await this.domains.requireSponsored(name);
      if (statuses.has(TRANSFER_LOCK) !== locked) {
        const change = { statuses: [TRANSFER_LOCK] };
        const response = await this.client.send(
          updateDomain(name.value, locked ? { add: change } : { remove: change }, this.settings.hostMode),
          ids.main(),
        );
        if (!isSuccess(response) && (await this.domains.requireSponsored(name)).statuses.has(TRANSFER_LOCK) !== locked)
          throw rejectionOf(response);
      }
      return this.domains.readBack(name);
    });
  }

  async issueAuthCode(name: DomainName, transactionId: string): Promise<AuthCode> {
    const policy = this.tlds.forName(name);
    if (!policy) throw new RegistryRejected('not_held', `.${name.parent} is not a TLD of this registry`);
    const code = generateAuthCode();
    await this.client.runCall(transactionId, (ids) =>
      this.client.sendOrThrow(updateDomain(name.value, { authCode: code }, this.settings.hostMode), ids.main()),
    );
    return { code, expiresAt: addDays(this.clock.now(), policy.periods.authCode) };
  }

  /** A registry that requires an auth code gets a random one that is not stored. */
  async withdrawAuthCode(name: DomainName, transactionId: string): Promise<void> {
    return this.client.runCall(transactionId, async (ids) => {
      const response = await this.client.send(
        updateDomain(name.value, { authCode: null }, this.settings.hostMode),
        ids.main(),
      );
      if (isSuccess(response)) return;
      const rejection = rejectionOf(response);
      if (rejection.reason !== 'policy') throw rejection;
      await this.client.sendOrThrow(
        updateDomain(name.value, { authCode: generateAuthCode() }, this.settings.hostMode),
        ids.main(),
      );
    });
  }

  async restore(name: DomainName, price: Money, transactionId: string): Promise<ChargedDomain> {
    return this.client.runCall(transactionId, (ids) => this.restores.restore(name, price, ids));
  }

  async delete(name: DomainName, transactionId: string): Promise<RegistryDomain | undefined> {
    return this.client.runCall(transactionId, async (ids) => {
      const remove = () => this.client.send(deleteDomain(name.value), ids.main());
      let response = await remove();
      if (response.code === RESULT.associated) {
        await this.delegation.removeSubordinateHosts(name, await this.domains.requireSponsored(name), ids);
        response = await remove();
      }
      if (!isSuccess(response)) throw rejectionOf(response);
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

  override async delegationSigners(name: DomainName): Promise<readonly DelegationSigner[]> {
    return this.signers.find(name);
  }

  override async setDelegationSigners(
    name: DomainName,
    signers: readonly DelegationSigner[],
    transactionId: string,
  ): Promise<readonly DelegationSigner[]> {
    return this.signers.replace(name, signers, transactionId);
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
}
