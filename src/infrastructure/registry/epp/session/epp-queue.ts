import type { Clock } from '../../../../application/ports/system/clock';
import { RegistryRejected, RegistryUnavailable } from '../../../../application/ports/registry/registry-errors';
import type { RegistryDomain, RegistryMessage } from '../../../../application/ports/registry/registry-port';
import { DomainName } from '../../../../domain/registration/domain-name';
import type { EppClient } from './epp-client';
import { instantOf } from '../mapping/data-types';
import { ProtocolError } from '../mapping/protocol-error';
import { domainNewsOf, isLowBalance, type DomainNews } from '../mapping/poll-data';
import { rejectionOf, RESULT, succeeded } from '../mapping/result-codes';
import { pollAcknowledgement, pollRequest } from '../mapping/session-commands';
import { UnreadableAnswer } from '../unreadable-answer';
import { isNameless, unreadableMessage } from '../unreadable-message';

const APPROVED: ReadonlySet<string> = new Set(['clientApproved', 'serverApproved']);

/** The registry's messages for us. What a message leaves open about a name is looked up, since messages differ from registry to registry. */
export class EppQueue {
  constructor(
    private readonly client: EppClient,
    private readonly clientId: string,
    private readonly clock: Clock,
    private readonly look: (name: DomainName) => Promise<RegistryDomain | undefined>,
  ) {}

  async poll(): Promise<RegistryMessage | undefined> {
    const response = await this.client.demand(pollRequest()).catch(frameOf);
    if (response instanceof Uint8Array) return unreadableMessage(response, this.clock.now());
    const { message } = response;
    if (response.code === RESULT.noMessages || !message) return undefined;
    const news = domainNewsOf(response);
    const told = { id: message.id, at: this.sentAt(message.at), text: message.text };
    if (!news) return { ...told, kind: isLowBalance(response) ? 'low_balance' : 'other' };
    const name = DomainName.fromState(news.name);
    return { ...told, name, kind: await this.kindOf(news, name) };
  }

  /** Told to people only: one that makes no sense must not keep the message from being read. */
  private sentAt(text: string | undefined): Date {
    try {
      return text === undefined ? this.clock.now() : instantOf(text);
    } catch (error) {
      if (error instanceof ProtocolError) return this.clock.now();
      throw error;
    }
  }

  async acknowledge(messageId: string): Promise<void> {
    if (isNameless(messageId))
      throw new RegistryRejected('policy', 'The message cannot be read, and no id to acknowledge it by was found');
    const response = await this.client.ask(pollAcknowledgement(messageId));
    if (!succeeded(response) && response.code !== RESULT.missing) throw rejectionOf(response);
  }

  private async kindOf(news: DomainNews, name: DomainName): Promise<RegistryMessage['kind']> {
    if (news.kind === 'transfer')
      return APPROVED.has(news.state) && news.gaining !== this.clientId ? 'transferred_out' : 'changed';
    const held = await this.look(name).catch(unseen);
    if (held === 'unseen') return 'changed';
    if (!held) return news.kind === 'completion' && !news.granted ? 'registration_refused' : 'deleted';
    if (!held.sponsoredByUs) return 'transferred_out';
    return news.kind === 'completion' && news.granted ? 'registered' : 'changed';
  }
}

/** One that could not be read in two attempts is no better in a third. */
function frameOf(error: unknown): Uint8Array {
  if (error instanceof RegistryUnavailable && error.cause instanceof UnreadableAnswer) return error.cause.frame();
  throw error;
}

/** Whoever hears of a name looks it up again: one that cannot be looked at just now must not hold up the queue. */
function unseen(error: unknown): 'unseen' {
  if (error instanceof RegistryUnavailable || error instanceof RegistryRejected) return 'unseen';
  throw error;
}
