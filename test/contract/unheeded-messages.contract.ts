import { fresh, T0, type StorageUnderTest } from './storage-under-test';

/** What every store of messages that could not be acted upon must do. */
export function unheededMessagesContract(storage: () => StorageUnderTest): void {
  describe('messages that could not be acted upon', () => {
    it('are kept, whatever their length, and kept once', async () => {
      const message = { registry: 'registry', messageId: fresh('x'.repeat(1_000)), message: JSON.stringify({ text: 'ü'.repeat(1_000_000) }), receivedAt: T0 };
      const keep = () => storage().unitOfWork.run(async ({ unheeded }) => {
        await unheeded.keep(message);
        return 'the work went on';
      });

      expect([await keep(), await keep()]).toEqual(['the work went on', 'the work went on']);
    });
  });
}
