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
import type { DomainName } from '../../../domain/registration/domain-name';
import type { Nameservers } from '../../../domain/registration/nameservers';
import type { Registrant } from '../../../domain/registration/registrant';
import type { RegistrationTerm } from '../../../domain/registration/registration-term';
import { TldPolicies, type TldPolicy } from '../../../domain/registration/tld-policy';
import { addDays, sameDay } from '../../../domain/shared/calendar';
import type { Money } from '../../../domain/shared/money';
import type { RegistryAdapter } from '../registry-adapter';
import { charged } from './charged';
import type { CommandIds } from './session/command-ids';
import type { EppClient } from './session/epp-client';
import { EppContacts, type ContactSettings } from './objects/epp-contacts';
import { EppDelegation } from './objects/epp-delegation';
import { EppDomains } from './objects/epp-domains';
import { EppOffers } from './objects/epp-offers';
import { EppQueue } from './session/epp-queue';
import { EppRestores } from './objects/epp-restores';
import type { EppTld } from './epp-tld';
import {
  createDomain,
  deleteDomain,
  renewDomain,
  updateDomain,
  type HostMode,
  type NewDomain,
} from './mapping/domain-commands';
import type { DomainInfo } from './mapping/domain-data';
import { chargedFee } from './mapping/fee';
import type { EppResponse } from './mapping/response';
import { detailsOf, rejectionOf, RESULT, succeeded } from './mapping/result-codes';
import { newAuthCode } from './new-auth-code';

export interface EppRegistrySettings extends ContactSettings {
  /** The service's, ISO 4217. */
  readonly currency: string;
  readonly hostMode: HostMode;
  readonly namesPerCheck: number;
  readonly tlds: readonly EppTld[];
}

const LOCK = 'clientTransferProhibited';
/** Codes that a registry uses for many reasons, some of which a look can tell. */
const AMBIGUOUS: ReadonlySet<number> = new Set([2003, 2004, 2005, 2105, 2306, 2308]);

/** A registry that speaks EPP (RFC 5730 to 5734), with what it offers of rgp (RFC 3915) and fee (RFC 8748). */
export class EppRegistry implements RegistryAdapter {
  private readonly tlds: TldPolicies<EppTld>;
  private readonly domains: EppDomains;
  private readonly contacts: EppContacts;
  private readonly delegation: EppDelegation;
  private readonly offers: EppOffers;
  private readonly restores: EppRestores;
  private readonly queue: EppQueue;

  constructor(
    private readonly client: EppClient,
    private readonly settings: EppRegistrySettings,
    private readonly clock: Clock,
    log: Log,
  ) {
    this.tlds = new TldPolicies(settings.tlds);
    this.domains = new EppDomains(client, this.tlds, settings.clientId, clock);
    this.contacts = new EppContacts(client, settings);
    this.delegation = new EppDelegation(client, settings.hostMode, this.domains);
    this.offers = new EppOffers(client, this.tlds, settings, log);
    this.restores = new EppRestores(client, this.domains, this.offers, clock);
    this.queue = new EppQueue(client, settings.clientId, clock, (name) => this.domains.find(name));
  }

  policies(): readonly TldPolicy[] {
    return this.settings.tlds;
  }

  async check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]> {
    return this.offers.check(names, term);
  }

  async price(name: DomainName, term?: RegistrationTerm): Promise<RenewalPrices> {
    return this.offers.price(name, term);
  }

  async info(name: DomainName): Promise<RegistryDomain | undefined> {
    return this.domains.find(name);
  }

  async register({
    name,
    term: { years },
    registrant,
    nameservers,
    price,
    transactionId,
  }: RegistrationRequest): Promise<ChargedDomain> {
    return this.client.asOneCall(transactionId, async (ids) => {
      if (!this.tlds.forName(name))
        throw new RegistryRejected('unavailable', `${name.value} is under no TLD of this registry`);
      const hosts = this.delegation.hostsOf(name, nameservers.hosts);
      const agreed = await this.offers.agreed(name, 'create', years, price);
      const holder = await this.contacts.ensure(registrant, ids);
      const wanted: NewDomain = {
        name: name.value,
        years,
        hosts,
        hostMode: this.settings.hostMode,
        registrant: holder,
        contacts: this.contacts.of(holder),
        authCode: newAuthCode(),
        price: agreed,
      };
      const create = () => this.client.ask(createDomain(wanted), ids.deciding());

      let response = await create();
      if (response.code === RESULT.missing) {
        await this.contacts.remake(registrant, ids);
        await this.delegation.prepare(hosts, ids);
        response = await create();
      }
      if (!succeeded(response)) throw await this.whyNotCreated(response, name, years, agreed);
      if (response.code !== RESULT.pending) await this.lock(name, ids);
      return charged(await this.domains.afterwards(name), chargedFee(response.extension, 'creData', agreed));
    });
  }

  async renew(
    name: DomainName,
    currentExpiry: Date,
    { years }: RegistrationTerm,
    transactionId: string,
    price?: Money,
  ): Promise<ChargedDomain> {
    return this.client.asOneCall(transactionId, async (ids) => {
      const agreed = price && (await this.offers.agreed(name, 'renew', years, price));
      const response = await this.client.ask(renewDomain(name.value, currentExpiry, years, agreed), ids.deciding());
      if (!succeeded(response)) throw await this.whyNotRenewed(response, name, { currentExpiry, years, price: agreed });
      return charged(await this.domains.afterwards(name), chargedFee(response.extension, 'renData', agreed));
    });
  }

  async setNameservers(
    name: DomainName,
    nameservers: Nameservers,
    glue: readonly GlueHost[],
    transactionId: string,
  ): Promise<RegistryDomain> {
    return this.client.asOneCall(transactionId, async (ids) => {
      const present = await this.domains.own(name);
      await this.delegation.replace(
        name,
        present,
        this.delegation.hostsOf(name, nameservers.hosts, glue, present),
        ids,
      );
      return this.domains.afterwards(name);
    });
  }

  async setRegistrant(name: DomainName, registrant: Registrant, transactionId: string): Promise<void> {
    return this.client.asOneCall(transactionId, async (ids) => {
      const present = await this.domains.own(name);
      const holder = await this.contacts.ensure(registrant, ids);
      if (holder === undefined) return;
      const update = (current: DomainInfo) =>
        this.client.ask(
          updateDomain(
            name.value,
            { registrant: holder, ...this.contacts.changes(current, holder) },
            this.settings.hostMode,
          ),
          ids.deciding(),
        );

      let response = await update(present);
      if (response.code === RESULT.missing) {
        await this.contacts.remake(registrant, ids);
        response = await update(await this.domains.own(name));
      }
      if (!succeeded(response)) throw rejectionOf(response);
    });
  }

  async setTransferLock(name: DomainName, locked: boolean, transactionId: string): Promise<RegistryDomain> {
    return this.client.asOneCall(transactionId, async (ids) => {
      const { statuses } = await this.domains.own(name);
      if (statuses.has(LOCK) !== locked) {
        const change = { statuses: [LOCK] };
        const response = await this.client.ask(
          updateDomain(name.value, locked ? { add: change } : { remove: change }, this.settings.hostMode),
          ids.deciding(),
        );
        if (!succeeded(response) && (await this.domains.own(name)).statuses.has(LOCK) !== locked)
          throw rejectionOf(response);
      }
      return this.domains.afterwards(name);
    });
  }

  async issueAuthCode(name: DomainName, transactionId: string): Promise<AuthCode> {
    const policy = this.tlds.forName(name);
    if (!policy) throw new RegistryRejected('not_held', `${name.value} is under no TLD of this registry`);
    const code = newAuthCode();
    await this.client.asOneCall(transactionId, (ids) =>
      this.client.demand(updateDomain(name.value, { authCode: code }, this.settings.hostMode), ids.deciding()),
    );
    return { code, expiresAt: addDays(this.clock.now(), policy.periods.authCode) };
  }

  /** A registry that knows no domain without an auth code is given one that nobody knows. */
  async withdrawAuthCode(name: DomainName, transactionId: string): Promise<void> {
    return this.client.asOneCall(transactionId, async (ids) => {
      const response = await this.client.ask(
        updateDomain(name.value, { authCode: null }, this.settings.hostMode),
        ids.deciding(),
      );
      if (succeeded(response)) return;
      const rejection = rejectionOf(response);
      if (rejection.reason !== 'policy') throw rejection;
      await this.client.demand(
        updateDomain(name.value, { authCode: newAuthCode() }, this.settings.hostMode),
        ids.deciding(),
      );
    });
  }

  async restore(name: DomainName, price: Money, transactionId: string): Promise<ChargedDomain> {
    return this.client.asOneCall(transactionId, (ids) => this.restores.restore(name, price, ids));
  }

  async delete(name: DomainName, transactionId: string): Promise<RegistryDomain | undefined> {
    return this.client.asOneCall(transactionId, async (ids) => {
      const remove = () => this.client.ask(deleteDomain(name.value), ids.deciding());
      let response = await remove();
      if (response.code === RESULT.associated) {
        await this.delegation.dissolve(name, await this.domains.own(name), ids);
        response = await remove();
      }
      if (!succeeded(response)) throw rejectionOf(response);
      return this.domains.find(name);
    });
  }

  async poll(): Promise<RegistryMessage | undefined> {
    return this.queue.poll();
  }

  async acknowledge(messageId: string): Promise<void> {
    await this.queue.acknowledge(messageId);
  }

  /** A registry that locks new names by itself refuses to do it twice; whether a name is locked is for `info` to say. */
  private async lock(name: DomainName, ids: CommandIds): Promise<void> {
    await this.client.ask(
      updateDomain(name.value, { add: { statuses: [LOCK] } }, this.settings.hostMode),
      ids.beside(),
    );
  }

  private async whyNotCreated(
    response: EppResponse,
    name: DomainName,
    years: number,
    price: Money | undefined,
  ): Promise<RegistryRejected> {
    if (response.code === RESULT.missing) return new RegistryRejected('policy', detailsOf(response));
    const looked = AMBIGUOUS.has(response.code) || response.code === RESULT.statusProhibits;
    return (looked ? await this.offers.objection(name, 'create', years, price) : undefined) ?? rejectionOf(response);
  }

  private async whyNotRenewed(
    response: EppResponse,
    name: DomainName,
    { currentExpiry, years, price }: { currentExpiry: Date; years: number; price: Money | undefined },
  ): Promise<RegistryRejected> {
    if (!AMBIGUOUS.has(response.code)) return rejectionOf(response);
    const { expiresAt } = await this.domains.own(name);
    if (expiresAt && !sameDay(expiresAt, currentExpiry))
      return new RegistryRejected('expiry_differs', `${name.value} expires on another day than the one quoted`);
    return (price && (await this.offers.objection(name, 'renew', years, price))) ?? rejectionOf(response);
  }
}
