import {
  MOST_UNHEEDED,
  type UnheededMessage,
  type UnheededMessageReader,
  type UnheededMessages,
} from '../../../../src/application/ports/registry/unheeded-messages';
import type { Tables } from './tables';

export class InMemoryUnheededMessages implements UnheededMessages {
  constructor(private readonly tables: Tables) {}

  async keep(message: UnheededMessage): Promise<void> {
    const place = `${message.registry} ${message.messageId}`;
    if (!this.tables.unheeded.has(place)) this.tables.unheeded.set(place, message);
    const ofRegistry = [...this.tables.unheeded]
      .filter(([, { registry }]) => registry === message.registry)
      .toSorted(([, a], [, b]) => b.receivedAt.getTime() - a.receivedAt.getTime());
    for (const [beyond] of ofRegistry.slice(MOST_UNHEEDED)) this.tables.unheeded.delete(beyond);
  }
}

export class InMemoryUnheededMessageReader implements UnheededMessageReader {
  constructor(private readonly tables: () => Tables) {}

  async latest(limit: number): Promise<readonly UnheededMessage[]> {
    return [...this.tables().unheeded.values()]
      .toSorted((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime())
      .slice(0, limit);
  }

  async find(registry: string, messageId: string): Promise<UnheededMessage | undefined> {
    return this.tables().unheeded.get(`${registry} ${messageId}`);
  }
}
