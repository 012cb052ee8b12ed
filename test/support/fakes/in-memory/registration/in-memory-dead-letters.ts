import {
  MAX_DEAD_LETTERS,
  type DeadLetter,
  type DeadLetterReader,
  type DeadLetters,
} from '../../../../../src/application/ports/registry/registries';
import type { Tables } from '../tables';

export class InMemoryDeadLetters implements DeadLetters {
  constructor(private readonly tables: Tables) {}

  async keep(message: DeadLetter): Promise<boolean> {
    const place = `${message.registry} ${message.messageId}`;
    if (this.tables.deadLetters.has(place)) return false;
    this.tables.deadLetters.set(place, message);
    const ofRegistry = [...this.tables.deadLetters]
      .filter(([, { registry }]) => registry === message.registry)
      .toSorted(([, a], [, b]) => b.receivedAt.getTime() - a.receivedAt.getTime());
    for (const [beyond] of ofRegistry.slice(MAX_DEAD_LETTERS)) this.tables.deadLetters.delete(beyond);
    return true;
  }
}

export class InMemoryDeadLetterReader implements DeadLetterReader {
  constructor(private readonly tables: () => Tables) {}

  async latest(limit: number): Promise<readonly DeadLetter[]> {
    return [...this.tables().deadLetters.values()]
      .toSorted((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime())
      .slice(0, limit);
  }

  async find(registry: string, messageId: string): Promise<DeadLetter | undefined> {
    return this.tables().deadLetters.get(`${registry} ${messageId}`);
  }
}
