import { createHash, randomBytes } from 'node:crypto';
import { DomainName } from '../../../../../domain/shared/domain-name';
import { NAMESPACES } from '../../../epp/codec/namespaces';
import { elementFactory, type XmlElement } from '../../../epp/codec/xml-element';
import type { Registration } from '../../simulated/registration';
import { digestOf } from '../../simulated/registry-core';
import { setAuthCode } from '../../simulated/transitions';
import type { RegistryBackend } from '../registry-backend';
import type { CommandContext } from './command-context';
import { storedCode } from './domain-rules';

const domain = elementFactory(NAMESPACES.domain);

export interface ShownAuthCode {
  readonly authInfo?: XmlElement;
  readonly extension?: XmlElement | undefined;
}

/** Auth codes of registries that make them. */
export class IssuedAuthCodes {
  constructor(private readonly backend: RegistryBackend) {}

  /** What an info of the sponsor shows; issues or cancels the code if the registry does so by info. */
  async shown(held: Registration, { received, registrar, svTRID, now }: CommandContext): Promise<ShownAuthCode> {
    const { issuedBy, requestIn, extension } = this.backend.personality.authCodes;
    const asked = issuedBy === 'shown' ? 'issue' : requestIn?.(received);
    if (!asked || held.phase === 'redemption' || held.phase === 'pending_delete') return {};
    const code = issuedBy === 'shown' ? constantCode(held) : randomBytes(8).toString('hex').toUpperCase();
    const offered = this.backend.core.offerOf(held);
    const stored = asked === 'issue' ? storedCode(code, offered, now) : null;
    const isCurrent = stored !== null && held.authCode?.digest === digestOf(code) && held.authCode.expiresAt > now;
    if (!isCurrent)
      await this.backend.core.command(DomainName.fromState(held.name), { registrar, transactionId: svTRID }, (facts) =>
        setAuthCode(facts.held, stored),
      );
    if (!stored) return {};
    return { authInfo: domain('authInfo', domain('pw', code)), extension: extension?.(stored.expiresAt) };
  }
}

/** The same for a registration until its transfer: only a digest is stored. */
function constantCode({ name, createdAt, sponsor }: Registration): string {
  return createHash('sha256').update(`${name} ${createdAt.getTime()} ${sponsor}`).digest('hex').slice(0, 16);
}
