import type { Clock } from '../../../application/ports/system/clock';
import type { RegistryDomain, RegistryMessage } from '../../../application/ports/registry/registry-port';
import { DomainName } from '../../../domain/registration/domain-name';
import type { EppClient } from './epp-client';
import { instantOf } from './mapping/data-types';
import { domainNewsOf, type DomainNews } from './mapping/poll-data';
import { rejectionOf, RESULT, succeeded } from './mapping/result-codes';
import { readable } from './readable';
import { pollAcknowledgement, pollRequest } from './mapping/session-commands';

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
    const response = await this.client.demand(pollRequest());
    const { message } = response;
    if (response.code === RESULT.noMessages || !message) return undefined;
    const news = domainNewsOf(response);
    const at = message.at === undefined ? this.clock.now() : readable(() => instantOf(message.at));
    const told = { id: message.id, at, text: message.text };
    if (!news) return { ...told, kind: 'other' };
    const name = DomainName.restore(news.name);
    return { ...told, name, kind: await this.kindOf(news, name) };
  }

  async acknowledge(messageId: string): Promise<void> {
    const response = await this.client.ask(pollAcknowledgement(messageId));
    if (!succeeded(response) && response.code !== RESULT.missing) throw rejectionOf(response);
  }

  private async kindOf(news: DomainNews, name: DomainName): Promise<RegistryMessage['kind']> {
    if (news.kind === 'transfer') return APPROVED.has(news.state) && news.gaining !== this.clientId ? 'transferred_out' : 'changed';
    const held = await this.look(name);
    if (!held) return news.kind === 'completion' && !news.granted ? 'registration_refused' : 'deleted';
    if (!held.ours) return 'transferred_out';
    return news.kind === 'completion' && news.granted ? 'registered' : 'changed';
  }
}
