import { after, fresh, type StorageUnderTest } from '../storage-under-test';

const digestOf = (text: string) => text.padEnd(64, '0');

/** Contract of all storage of used tokens. */
export function usedTokensContract(storage: () => StorageUnderTest): void {
  describe('used tokens', () => {
    it('can be used once', async () => {
      const digest = digestOf(fresh('c'));
      const use = () => storage().unitOfWork.run(({ usedTokens }) => usedTokens.use(digest, after(5)));

      expect([await use(), await use()]).toEqual([true, false]);
    });

    it('tell until when the last of some is used', async () => {
      const [one, two] = [digestOf(fresh('c')), digestOf(fresh('c'))];
      const use = (digest: string, at: Date) =>
        storage().unitOfWork.run(({ usedTokens }) => usedTokens.useAgain(digest, at));
      await use(one, after(3));
      await use(one, after(5));
      await use(two, after(4));

      expect(await storage().usedTokens.usedUntil([one, two, digestOf(fresh('c'))])).toEqual(after(5));
      expect(await storage().usedTokens.usedUntil([two])).toEqual(after(4));
      expect(await storage().usedTokens.usedUntil([digestOf(fresh('c'))])).toBeUndefined();
    });

    it('count their uses by times that only grow', async () => {
      const digest = digestOf(fresh('c'));
      const use = (at: Date) => storage().unitOfWork.run(({ usedTokens }) => usedTokens.useLater(digest, at));
      const [three, five] = [after(3), after(5)];
      const times = [await use(three), await use(after(1)), await use(five), await use(five)];

      expect(times).toEqual([three, new Date(three.getTime() + 1), five, new Date(five.getTime() + 1)]);
      expect(await storage().usedTokens.usedUntil([digest])).toEqual(times.at(-1));
    });
  });
}
