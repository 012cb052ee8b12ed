import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { ChargedDomain, RegistrationRequest } from '../../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { RegistrationTerm } from '../../../../domain/registration/registration-term';
import type { TldPolicies } from '../../../../domain/registration/names/tld-policy';
import { sameDay } from '../../../../domain/shared/time/calendar';
import type { Money } from '../../../../domain/shared/money';
import {
  createDomain,
  renewDomain,
  TRANSFER_LOCK,
  updateDomain,
  type EppNewDomain,
} from '../mapping/commands/domain-commands';
import { chargedFee } from '../mapping/fee';
import type { EppResponse } from '../mapping/response';
import { AMBIGUOUS, detailsOf, isSuccess, rejectionOf, RESULT } from '../mapping/result-codes';
import type { CommandIds } from '../session/command-ids';
import type { EppClient } from '../session/epp-client';
import type { RegistryProfile } from '../profiles/profile';
import { generateAuthCode } from './auth-code';
import type { EppContacts, RegistrantContact } from './epp-contacts';
import type { EppDelegation } from './epp-delegation';
import type { EppDomains } from './epp-domains';
import type { EppPricing, EppTld } from './epp-pricing';

/** `<domain:create>` and `<domain:renew>` at the agreed price, and why the registry rejected one. */
export class EppPurchases {
  constructor(
    private readonly client: EppClient,
    private readonly tlds: TldPolicies<EppTld>,
    private readonly domains: EppDomains,
    private readonly contacts: EppContacts,
    private readonly delegation: EppDelegation,
    private readonly pricing: EppPricing,
    private readonly profile: Pick<RegistryProfile, 'hosts' | 'authCodes' | 'timeZone' | 'transferLock'>,
  ) {}

  async register({
    name,
    term: { years },
    registrant,
    nameservers,
    price,
    glue,
    idnLanguage,
    transactionId,
  }: RegistrationRequest): Promise<ChargedDomain> {
    return this.client.runCall(transactionId, async (ids) => {
      if (!this.tlds.forName(name))
        throw new RegistryRejected('unavailable', `.${name.parent} is not a TLD of this registry`);
      const hosts = this.delegation.delegatedHosts(name, nameservers.hosts, glue);
      const agreedPrice = await this.pricing.confirmPrice(name, 'create', years, price);
      const create = async (contact: RegistrantContact | undefined) => {
        const domain: EppNewDomain = {
          name: name.value,
          years,
          hosts,
          hostMode: this.profile.hosts,
          registrant: contact?.id,
          contacts: this.contacts.referencesTo(contact?.id),
          authCode: this.profile.authCodes.create === 'empty' ? '' : generateAuthCode(),
          price: agreedPrice,
          idnLanguage,
        };
        return this.client.send(createDomain(domain), ids.main());
      };

      const response = await this.contacts.use(registrant, name, ids, async (contact, recreate) => {
        let answer = await create(contact);
        if (answer.code === RESULT.missing) {
          const present = await recreate();
          await this.delegation.ensureHosts(name, hosts, ids);
          answer = await create(present);
        }
        if (!isSuccess(answer)) throw await this.toCreateError(answer, name, years, agreedPrice);
        return answer;
      });
      const isLocked = response.code !== RESULT.pending && (await this.lock(name, ids));
      const created = await this.domains.created(name, response, hosts, isLocked);
      const charged = chargedFee(response.extension, 'creData', agreedPrice);
      return charged ? { ...created, charged } : created;
    });
  }

  async renew(
    name: DomainName,
    currentExpiry: Date,
    { years }: RegistrationTerm,
    transactionId: string,
    price?: Money,
  ): Promise<ChargedDomain> {
    return this.client.runCall(transactionId, async (ids) => {
      const agreedPrice = price && (await this.pricing.confirmPrice(name, 'renew', years, price));
      const response = await this.client.send(
        renewDomain(name.value, currentExpiry, years, agreedPrice, this.profile.timeZone),
        ids.main(),
      );
      if (!isSuccess(response))
        throw await this.toRenewError(response, name, { currentExpiry, years, price: agreedPrice });
      return this.domains.readBack(name, chargedFee(response.extension, 'renData', agreedPrice));
    });
  }

  /** Whether the command was accepted. Some registries lock new names themselves and reject it: `info` then shows the lock. */
  private async lock(name: DomainName, ids: CommandIds): Promise<boolean> {
    if (this.profile.transferLock === 'none') return false;
    const command = updateDomain(name.value, { add: { statuses: [TRANSFER_LOCK] } }, this.profile.hosts);
    return (await this.client.send(command, ids.additional())).code === RESULT.ok;
  }

  private async toCreateError(
    response: EppResponse,
    name: DomainName,
    years: number,
    price: Money | undefined,
  ): Promise<RegistryRejected> {
    if (response.code === RESULT.missing) return new RegistryRejected('policy', detailsOf(response));
    const needsDiagnosis = AMBIGUOUS.has(response.code) || response.code === RESULT.statusProhibits;
    return (
      (needsDiagnosis ? await this.pricing.diagnoseRejection(name, 'create', years, price) : undefined) ??
      rejectionOf(response)
    );
  }

  private async toRenewError(
    response: EppResponse,
    name: DomainName,
    { currentExpiry, years, price }: { currentExpiry: Date; years: number; price: Money | undefined },
  ): Promise<RegistryRejected> {
    if (!AMBIGUOUS.has(response.code)) return rejectionOf(response);
    const { expiresAt } = await this.domains.requireSponsored(name);
    if (expiresAt && !sameDay(expiresAt, currentExpiry))
      return new RegistryRejected('expiry_differs', `${name.value} expires on another date than currentExpiry`);
    return (price && (await this.pricing.diagnoseRejection(name, 'renew', years, price))) ?? rejectionOf(response);
  }
}
