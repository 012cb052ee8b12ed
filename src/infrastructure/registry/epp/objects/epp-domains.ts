import type { Clock } from '../../../../application/ports/system';
import {
  RegistryInconclusive,
  RegistryRejected,
  RegistryUnavailable,
} from '../../../../application/ports/registry/registry-errors';
import type { ChargedDomain, RegistryDomain } from '../../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { TldPolicies } from '../../../../domain/registration/names/tld-policy';
import type { Money } from '../../../../domain/shared/money';
import type { EppClient } from '../session/epp-client';
import {
  infoDomain,
  infoDomainElsewhere,
  TRANSFER_LOCK,
  type DelegatedHost,
} from '../mapping/commands/domain-commands';
import { createdDomainOf, domainInfoOf, hiddenDomain, registryDomainOf, type DomainInfo } from '../mapping/domain-data';
import type { EppResponse } from '../mapping/response';
import { parseResponse } from '../mapping/protocol-error';
import { detailsOf, INVALID_NAME_CODES, isSuccess, RESULT } from '../mapping/result-codes';
import type { RegistryProfile } from '../profiles/profile';
import type { EppTld } from './epp-pricing';

/** Reads domains with `<info>`. */
export class EppDomains {
  constructor(
    private readonly client: EppClient,
    private readonly tlds: TldPolicies<EppTld>,
    private readonly clientId: string,
    private readonly clock: Clock,
    private readonly profile: Pick<
      RegistryProfile,
      'timeZone' | 'readDomain' | 'renewal' | 'deleteUnrenewedDays' | 'transferLock' | 'transfers' | 'complete'
    >,
  ) {}

  /** Undefined for an unregistered name. An auth code shows the expiry of another registrar's domain. */
  async find(name: DomainName, authCode?: string): Promise<RegistryDomain | undefined> {
    const policy = this.tlds.forName(name);
    const shown = policy && (await this.fetch(name));
    if (!policy || !shown) return undefined;
    const info = (authCode && this.hidesExpiry(shown) && (await this.fetchWithCode(name, authCode))) || shown;
    return info === 'hidden' ? hiddenDomain(name) : this.toDomain(info, policy);
  }

  /** The domain in the response to its create, read back if that does not tell. `isLocked`: whether the lock was set. */
  async created(
    name: DomainName,
    response: EppResponse,
    hosts: readonly DelegatedHost[],
    isLocked: boolean,
  ): Promise<RegistryDomain> {
    const { clientId } = this;
    const facts = { clientId, hosts, statuses: isLocked ? [TRANSFER_LOCK] : [] };
    const isComplete = response.code === RESULT.ok && isLocked === (this.profile.transferLock === 'status');
    const info = isComplete ? parseResponse(() => createdDomainOf(response, facts, this.profile.timeZone)) : undefined;
    const policy = this.tlds.forName(name);
    return info?.name === name.value && policy ? this.toDomain(info, policy) : this.readBack(name);
  }

  private toDomain(info: DomainInfo, { periods, renewalYears }: EppTld): RegistryDomain {
    return parseResponse(() =>
      registryDomainOf(info, {
        clientId: this.clientId,
        periods,
        addedYears: renewalYears.min,
        renewsByItself: this.profile.renewal === 'none',
        deletesUnrenewed: this.profile.deleteUnrenewedDays !== undefined,
        now: this.clock.now(),
      }),
    );
  }

  /** The domain after a successful command, with its charge if the response had one. @throws RegistryUnavailable if the registry does not show it as ours */
  async readBack(name: DomainName, charged?: Money): Promise<ChargedDomain> {
    const domain = await this.find(name);
    if (!domain?.sponsoredByUs) throw new RegistryUnavailable(`The registry does not show ${name.value} as ours yet`);
    return charged ? { ...domain, charged } : domain;
  }

  /** The unmapped `<info>` data. @throws RegistryRejected (`not_held`) unless we sponsor the name */
  async requireSponsored(name: DomainName): Promise<DomainInfo> {
    const info = await this.findSponsored(name);
    if (!info) throw new RegistryRejected('not_held', `We do not sponsor ${name.value}`);
    return info;
  }

  /** The unmapped `<info>` data, undefined unless we sponsor the name. */
  async findSponsored(name: DomainName): Promise<DomainInfo | undefined> {
    const info = this.tlds.forName(name) && (await this.fetch(name));
    return info === 'hidden' || info?.sponsor !== this.clientId ? undefined : info;
  }

  private async fetch(name: DomainName): Promise<DomainInfo | 'hidden' | undefined> {
    const response = await this.client.send(infoDomain(name.value));
    if (response.code === RESULT.missing) return undefined;
    if (INVALID_NAME_CODES.has(response.code)) {
      // The invalid value may be what the profile adds, like a wrong sub-product: that must not pass for an unregistered name.
      if (this.profile.complete) throw new RegistryInconclusive(detailsOf(response));
      return undefined;
    }
    if (response.code === RESULT.notSponsor) return 'hidden';
    if (!isSuccess(response)) throw new RegistryUnavailable(detailsOf(response));
    return this.parse(response);
  }

  private hidesExpiry(info: DomainInfo | 'hidden'): boolean {
    return (
      this.profile.transfers.authCode === 'sent' &&
      (info === 'hidden' || (info.sponsor !== this.clientId && info.expiresAt === undefined))
    );
  }

  /** Undefined if the registry does not show the domain for this code: it is wrong, or such queries are not allowed. */
  private async fetchWithCode(name: DomainName, authCode: string): Promise<DomainInfo | undefined> {
    const response = await this.client.send(infoDomainElsewhere(name.value, authCode));
    return isSuccess(response) ? this.parse(response) : undefined;
  }

  private parse(response: EppResponse): DomainInfo {
    return parseResponse(() => {
      const info = domainInfoOf(response, this.profile.timeZone);
      return { ...info, ...this.profile.readDomain?.(response, info) };
    });
  }
}
