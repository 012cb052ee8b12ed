import { setTimeout as sleep } from 'node:timers/promises';
import { withEachDatabase } from '../../support/databases/each-database';
import { partOf, SmtpInbox } from '../../support/mail/smtp-inbox';
import { api, registered } from '../../support/service/service';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';

withEachDatabase('a service that is killed while it sends mails', (databases) => {
  beforeAll(build);

  it('sends no mail twice, and goes on with those that follow', async () => {
    const location = await databases.create();
    const inbox = await SmtpInbox.open();
    const start = () =>
      startProcess({
        PORT: '0',
        DATABASE_URL: location.kind === 'mysql' ? location.url : `sqlite:${location.file}`,
        DNS_LISTEN: 'off',
        HEALTH_CHECKS_PER_MINUTE: '0',
        MAIL_URL: `smtp://127.0.0.1:${inbox.port}`,
        MAIL_FROM: 'Namewright <names@example.net>',
        PUBLIC_URL: 'http://127.0.0.1',
        RATE_LIMIT_PER_MINUTE: '0',
        RENEWAL_LEAD_DAYS: '1',
      });
    let service: ServiceProcess = start();
    const key = await firstKeyOf(service);
    const client = async () => api({ server: await addressOf(service) }, key);
    const noticesOf = (days: number) =>
      inbox.received.filter(({ source }) =>
        partOf(source, 'text/plain').replaceAll(/\s+/g, ' ').includes(`expires in ${days} days`),
      );
    await registered(await client(), 'mails.com');
    inbox.beforeReply(() => service.signal('SIGKILL'));

    await (await client()).post('/api/sandbox/advance', { days: 336 });
    await service.ended;
    service = start();
    await (await client()).post('/api/sandbox/advance', { days: 23 }).expect(200);
    while (noticesOf(7).length < 2) await sleep(20);
    service.signal('SIGTERM');
    await service.ended;
    await inbox.close();

    for (const days of [30, 7]) {
      const recipients = noticesOf(days).map(({ to }) => to);
      expect(recipients.length).toBeGreaterThan(0);
      expect(recipients).toEqual([...new Set(recipients)]);
    }
    expect(noticesOf(7)).toHaveLength(2);
  });
});
