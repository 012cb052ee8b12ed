import type { UnheededMessage, UnheededMessages } from '../../../../src/application/ports/registry/unheeded-messages';
import type { Tables } from './tables';

export class InMemoryUnheededMessages implements UnheededMessages {
  constructor(private readonly tables: Tables) {}

  async keep(message: UnheededMessage): Promise<void> {
    const place = `${message.registry} ${message.messageId}`;
    if (!this.tables.unheeded.has(place)) this.tables.unheeded.set(place, message);
  }
}
