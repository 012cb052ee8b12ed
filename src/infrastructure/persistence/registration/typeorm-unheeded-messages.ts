import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { UnheededMessage, UnheededMessages } from '../../../application/ports/registry/unheeded-messages';
import { isDuplicate } from '../database/database-errors';

export class TypeOrmUnheededMessages implements UnheededMessages {
  constructor(private readonly manager: EntityManager) {}

  async keep({ registry, messageId, message, receivedAt }: UnheededMessage): Promise<void> {
    const digest = createHash('sha256').update(messageId).digest('hex');
    try {
      await this.manager.query('INSERT INTO unheeded_messages (registry, message_digest, message, received_at) VALUES (?, ?, ?, ?)', [registry, digest, message, receivedAt.getTime()]);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }
}
