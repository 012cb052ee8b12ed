import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { startService, type TestService } from '../../../support/service/service';
import { signIn } from '../../../support/dashboard/dashboard-client';

describe('a low balance at a registry', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('is shown on the overview to owners but not to members', async () => {
    const accountId = await service.account();
    const [owner, member] = [await signIn(service, accountId), await signIn(service, accountId, 'manager')];
    const message = JSON.stringify({ id: '7', kind: 'low_balance', text: 'Credit <b>below</b> 100.00' });

    await service.container
      .get(UnitOfWork)
      .run(({ deadLetters }) =>
        deadLetters.keep({ registry: 'sandbox', messageId: '7', message, receivedAt: new Date() }),
      );

    await owner
      .get('/')
      .expect(200)
      .expect(/The balance at the registry sandbox is low[\s\S]*Credit &lt;b>below&lt;\/b> 100\.00/);
    expect((await member.get('/')).text).not.toContain('The balance at the registry');
  });
});
