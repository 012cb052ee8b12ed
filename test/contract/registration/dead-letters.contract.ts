import { MAX_DEAD_LETTERS } from '../../../src/application/ports/registry/registries';
import { fresh, T0, type StorageUnderTest } from '../storage-under-test';

/** What every store of messages that could not be acted upon must do. */
export function deadLettersContract(storage: () => StorageUnderTest): void {
  describe('dead letters', () => {
    it('are kept once, even if they are long', async () => {
      const messageId = fresh('x'.repeat(1_000));
      const message = {
        registry: 'registry',
        messageId,
        message: JSON.stringify({ id: messageId, text: 'ü'.repeat(1_000_000) }),
        receivedAt: T0,
      };
      const keep = () =>
        storage().unitOfWork.run(async ({ deadLetters }) => {
          const isNew = await deadLetters.keep(message);
          return [isNew, await deadLetters.keep(message)];
        });

      expect([await keep(), await keep()]).toEqual([
        [true, false],
        [false, false],
      ]);
      expect(await storage().deadLetters.find('registry', message.messageId)).toEqual(message);
    });

    it('are kept up to a limit for each registry, newest first', async () => {
      const [registry, other] = [fresh('flooding'), fresh('quiet')];
      const keep = (index: number, name = registry) => ({
        registry: name,
        messageId: `${index}`,
        message: JSON.stringify({ id: `${index}` }),
        receivedAt: new Date(T0.getTime() + index),
      });
      await storage().unitOfWork.run(async ({ deadLetters }) => {
        await deadLetters.keep(keep(0, other));
        for (let index = 0; index < MAX_DEAD_LETTERS + 2; index += 1) await deadLetters.keep(keep(index));
      });

      const isKept = async (index: number, name = registry) =>
        (await storage().deadLetters.find(name, `${index}`)) !== undefined;
      expect([
        await isKept(0),
        await isKept(1),
        await isKept(2),
        await isKept(MAX_DEAD_LETTERS + 1),
        await isKept(0, other),
      ]).toEqual([false, false, true, true, true]);
    });

    it('are found by their registry and id, and listed newest first', async () => {
      const [early, late] = [fresh('early'), fresh('late')].map((registry, day) => {
        const messageId = 'ÿ "1"';
        return {
          registry,
          messageId,
          message: JSON.stringify({ id: messageId, text: 'x' }),
          receivedAt: new Date(Date.UTC(2030, 0, 1 + day)),
        };
      });
      for (const message of [late!, early!])
        await storage().unitOfWork.run(({ deadLetters }) => deadLetters.keep(message));

      expect(await storage().deadLetters.latest(2)).toEqual([late, early]);
      expect(await storage().deadLetters.latest(1)).toEqual([late]);
      expect(await storage().deadLetters.find(early!.registry, early!.messageId)).toEqual(early);
      expect(await storage().deadLetters.find(early!.registry, 'another')).toBeUndefined();
      expect(await storage().deadLetters.find('another', early!.messageId)).toBeUndefined();
    });
  });
}
