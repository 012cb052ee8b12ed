import type { Clock } from '../../../../application/ports/system';
import { RegistryRejected, unsupportedBy } from '../../../../application/ports/registry/registry-errors';
import type { AuthCode } from '../../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { TldPolicies } from '../../../../domain/registration/names/tld-policy';
import { addDays } from '../../../../domain/shared/time/calendar';
import { infoAuthCode, updateDomain } from '../mapping/commands/domain-commands';
import { domainInfoOf, type DomainInfo } from '../mapping/domain-data';
import { parseResponse } from '../mapping/protocol-error';
import { isSuccess, rejectionOf } from '../mapping/result-codes';
import type { RegistryProfile } from '../profiles/profile';
import type { CommandIds } from '../session/command-ids';
import type { EppClient } from '../session/epp-client';
import { generateAuthCode } from './auth-code';
import type { EppTld } from './epp-pricing';

/** Auth codes of registered names (RFC 9154). */
export class EppAuthCodes {
  constructor(
    private readonly client: EppClient,
    private readonly tlds: TldPolicies<EppTld>,
    private readonly profile: Pick<RegistryProfile, 'authCodes' | 'hosts' | 'readDomain' | 'timeZone'>,
    private readonly clock: Clock,
  ) {}

  async issue(name: DomainName, transactionId: string): Promise<AuthCode> {
    const policy = this.tlds.forName(name);
    if (!policy) throw new RegistryRejected('not_held', `.${name.parent} is not a TLD of this registry`);
    const { issue } = this.profile.authCodes;
    if (issue === 'none') throw unsupportedBy('The registry', 'auth codes');
    return this.client.runCall(transactionId, async (ids) => {
      const { code, until } =
        issue === 'info' ? await this.read(name, ids) : await this.set(name, generateAuthCode(), ids);
      return { code, expiresAt: until ?? addDays(this.clock.now(), policy.periods.authCode) };
    });
  }

  /** A registry that requires an auth code gets a random one that is not stored. */
  async withdraw(name: DomainName, transactionId: string): Promise<void> {
    if (this.profile.authCodes.withdraw === 'none') throw unsupportedBy('The registry', 'withdrawing auth codes');
    return this.client.runCall(transactionId, async (ids) => {
      if (this.profile.authCodes.withdraw === 'info') {
        await this.client.sendOrThrow(infoAuthCode(name.value, 'cancel'), ids.main());
        return;
      }
      const change = (authCode: string | null) => updateDomain(name.value, { authCode }, this.profile.hosts);
      const response = await this.client.send(change(null), ids.main());
      if (isSuccess(response)) return;
      const rejection = rejectionOf(response);
      if (rejection.reason !== 'policy') throw rejection;
      await this.client.sendOrThrow(change(generateAuthCode()), ids.main());
    });
  }

  private async set(name: DomainName, code: string, ids: CommandIds): Promise<IssuedCode> {
    await this.client.sendOrThrow(updateDomain(name.value, { authCode: code }, this.profile.hosts), ids.main());
    return { code };
  }

  /** With the end that the registry shows: its own codes end when it says. */
  private async read(name: DomainName, ids: CommandIds): Promise<IssuedCode> {
    const response = await this.client.sendOrThrow(infoAuthCode(name.value, 'issue'), ids.main());
    const { authCode, authCodeUntil } = parseResponse((): DomainInfo => {
      const info = domainInfoOf(response, this.profile.timeZone);
      return { ...info, ...this.profile.readDomain?.(response, info) };
    });
    if (authCode === undefined)
      throw new RegistryRejected('policy', 'The registry does not show the auth code; ask it for one');
    return { code: authCode, until: authCodeUntil };
  }
}

interface IssuedCode {
  readonly code: string;
  readonly until?: Date | undefined;
}
