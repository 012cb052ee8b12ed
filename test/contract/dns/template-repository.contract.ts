import type { AccountTemplate } from '../../../src/domain/dns/templates/record-template';
import { after, anAccount, fresh, T0, type StorageUnderTest } from '../storage-under-test';

/** What every store of record templates must do. */
export function templateRepositoryContract(storage: () => StorageUnderTest): void {
  const stored = async (accountId: string, name: string): Promise<AccountTemplate> => {
    const template = {
      id: fresh('tpl_'),
      accountId,
      name,
      description: 'Where mail goes',
      records: '@ MX 10 mail.{domain}.\n',
      createdAt: T0,
      updatedAt: T0,
    };
    await storage().unitOfWork.run(({ templates }) => templates.add(template));
    return template;
  };

  describe('record templates', () => {
    it('are listed by name, for their account only', async () => {
      const [account, other] = [await anAccount(storage()), await anAccount(storage())];
      const [web, mail] = [await stored(account, 'Web'), await stored(account, 'Mail')];
      const foreign = await stored(other, 'Mail');

      expect(await storage().templates.ofAccount(account)).toEqual([mail, web]);
      expect(await storage().templates.find(account, mail.id)).toEqual(mail);
      expect(await storage().templates.find(account, foreign.id)).toBeUndefined();
      await storage().unitOfWork.run(async ({ templates }) => {
        expect(await templates.count(account)).toBe(2);
        expect(await templates.find(account, foreign.id)).toBeUndefined();
      });
    });

    it('are changed and removed', async () => {
      const account = await anAccount(storage());
      const template = await stored(account, 'Mail');
      const changed = { ...template, name: 'Mail, new', records: '@ MX 20 mx.example.net.', updatedAt: after(1_000) };

      await storage().unitOfWork.run(({ templates }) => templates.save(changed));
      expect(await storage().templates.ofAccount(account)).toEqual([changed]);
      await storage().unitOfWork.run(({ templates }) => templates.remove(template.id));
      expect(await storage().templates.ofAccount(account)).toEqual([]);
    });
  });
}
