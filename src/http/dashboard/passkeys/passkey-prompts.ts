import { isIP } from 'node:net';
import { inject, injectable } from '../../../application/ports/inject';
import { Passkeys, type PasskeyPrompt } from '../../../application/access/second-factor/passkeys';
import type { RelyingParty } from '../../../application/ports/access/authentication';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { User, UserState } from '../../../domain/access/people/user';
import type { DashboardRequest } from '../dashboard-route';
import { DashboardSettings } from '../dashboard-settings';
import { readField } from '../form-fields';
import { serviceUrl } from '../service-url';

/** Of the hidden field with the challenge of a ceremony. */
export const CHALLENGE_SUFFIX = '_challenge';

/** Connects forms with passkey ceremonies, for the host of PUBLIC_URL. */
@injectable()
export class PasskeyPrompts {
  constructor(
    @inject(Passkeys) private readonly passkeys: Passkeys,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  /** Undefined if passkeys cannot be used at this address. */
  async ofSignIn(req: DashboardRequest): Promise<PasskeyPrompt | undefined> {
    const relyingParty = this.findRelyingParty(req);
    return relyingParty && this.passkeys.prompt(relyingParty, { isOnlyFactor: true });
  }

  async ofPerson(req: DashboardRequest, personId: string, isOnlyFactor: boolean): Promise<PasskeyPrompt | undefined> {
    const relyingParty = this.findRelyingParty(req);
    return relyingParty && this.passkeys.prompt(relyingParty, { personId, isOnlyFactor });
  }

  async ofNew(
    req: DashboardRequest,
    user: Pick<UserState, 'id' | 'personId' | 'email'>,
  ): Promise<PasskeyPrompt | undefined> {
    const relyingParty = this.findRelyingParty(req);
    return relyingParty && this.passkeys.offer(relyingParty, user);
  }

  /** The response in a form. @throws ValidationError if passkeys cannot be used at this address */
  readResponse(req: DashboardRequest, field = 'passkey') {
    const relyingParty = this.findRelyingParty(req);
    if (!relyingParty) throw ValidationError.of('passkey', 'cannot be used at this address');
    return { relyingParty, response: readField(req, field), sealed: readField(req, `${field}${CHALLENGE_SUFFIX}`) };
  }

  /** @throws ValidationError naming `passkey` */
  verify(
    req: DashboardRequest,
    { personId, isOnlyFactor, field }: { personId?: string; isOnlyFactor: boolean; field?: string },
  ): Promise<User> {
    return this.passkeys.verify({
      ...this.readResponse(req, field),
      isOnlyFactor,
      ...(personId !== undefined && { personId }),
    });
  }

  /** Browsers accept no IP address. Without PUBLIC_URL, the Host header decides, so only localhost is accepted. */
  private findRelyingParty(req: DashboardRequest): RelyingParty | undefined {
    const origin = serviceUrl(req, this.settings);
    const { hostname } = new URL(origin);
    if (this.settings.publicUrl === undefined && hostname !== 'localhost') return undefined;
    return isIP(hostname) !== 0 || hostname.startsWith('[') ? undefined : { id: hostname, origin };
  }
}
