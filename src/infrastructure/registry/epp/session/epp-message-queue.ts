import type { Clock } from '../../../../application/ports/system';
import { RegistryRejected, RegistryUnavailable } from '../../../../application/ports/registry/registry-errors';
import type { RegistryDomain, RegistryMessage } from '../../../../application/ports/registry/registry-port';
import { DomainName } from '../../../../domain/shared/domain-name';
import type { EppClient } from './epp-client';
import { instantOf } from '../mapping/data-types';
import { ProtocolError } from '../mapping/protocol-error';
import { domainNoticeOf, isLowBalance, namesIn, type DomainNotice } from '../mapping/poll-data';
import { isSuccess, rejectionOf, RESULT } from '../mapping/result-codes';
import { pollAcknowledgement, pollRequest } from '../mapping/commands/session-commands';
import { UnreadableResponse } from './connection-errors';
import { hasPlaceholderId, unreadableMessage } from './unreadable-message';

const APPROVED: ReadonlySet<string> = new Set(['clientApproved', 'serverApproved']);

/** EPP's poll queue (RFC 5730 section 2.9.2.3). Reads `info` to classify a message, since message formats differ between registries. */
export class EppMessageQueue {
  constructor(
    private readonly client: EppClient,
    private readonly clientId: string,
    private readonly clock: Clock,
    private readonly info: (name: DomainName) => Promise<RegistryDomain | undefined>,
    private readonly isServed: (name: DomainName) => boolean,
    private readonly timeZone: string,
  ) {}

  async poll(): Promise<RegistryMessage | undefined> {
    const response = await this.client.sendOrThrow(pollRequest()).catch(frameOf);
    if (response instanceof Uint8Array) return unreadableMessage(response, this.clock.now());
    const { message } = response;
    if (response.code === RESULT.noMessages || !message) return undefined;
    const notice = domainNoticeOf(response);
    const common = { id: message.id, at: this.sentAt(message.at), text: message.text };
    const names = namesIn(response, (each) => this.isServed(DomainName.fromState(each)))
      .filter((each) => each !== notice?.name)
      .map((each) => DomainName.fromState(each));
    if (notice) {
      const name = DomainName.fromState(notice.name);
      return { ...common, ...named(name, ...names), kind: await this.kindOf(notice, name) };
    }
    // The message may be about anything, so only `info` tells what has changed.
    const kind = isLowBalance(response) ? 'low_balance' : names.length > 0 ? 'changed' : 'other';
    return { ...common, ...named(...names), kind };
  }

  /** Shown to people only, so an invalid date must not block the message. */
  private sentAt(text: string | undefined): Date {
    try {
      return text === undefined ? this.clock.now() : instantOf(text, this.timeZone);
    } catch (error) {
      if (error instanceof ProtocolError) return this.clock.now();
      throw error;
    }
  }

  async acknowledge(messageId: string): Promise<void> {
    if (hasPlaceholderId(messageId))
      throw new RegistryRejected('policy', 'The message cannot be parsed and has no id to acknowledge it by');
    const response = await this.client.send(pollAcknowledgement(messageId));
    if (!isSuccess(response) && response.code !== RESULT.missing) throw rejectionOf(response);
  }

  private async kindOf(notice: DomainNotice, name: DomainName): Promise<RegistryMessage['kind']> {
    if (notice.kind === 'transfer')
      return APPROVED.has(notice.state) && notice.gaining !== this.clientId ? 'transferred_out' : 'changed';
    const domain = await this.info(name).catch(unknownIfUnavailable);
    if (domain === 'unknown') return 'changed';
    if (!domain) return notice.kind === 'completion' && !notice.granted ? 'registration_refused' : 'deleted';
    if (!domain.sponsoredByUs) return 'transferred_out';
    return notice.kind === 'completion' && notice.granted ? 'registered' : 'changed';
  }
}

function named(name?: DomainName, ...furtherNames: readonly DomainName[]): Partial<RegistryMessage> {
  return { ...(name && { name }), ...(furtherNames.length > 0 && { furtherNames }) };
}

/** A response that could not be parsed in two attempts will not be parsed in a third. */
function frameOf(error: unknown): Uint8Array {
  if (error instanceof RegistryUnavailable && error.cause instanceof UnreadableResponse) return error.cause.frame();
  throw error;
}

/** A failing `info` must not block the queue: the service reads `info` again for every message. */
function unknownIfUnavailable(error: unknown): 'unknown' {
  if (error instanceof RegistryUnavailable || error instanceof RegistryRejected) return 'unknown';
  throw error;
}
