import { describeOrSkip } from '../../support/describe-or-skip';
import { BIND_MISSING, startBind } from '../../support/nameservers/bind';
import type { Nameserver } from '../../support/nameservers/nameserver';
import { NSD_MISSING, startNsd } from '../../support/nameservers/nsd';
import { createInProcessAdmin } from '../../support/nameservers/primary';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const NAME = 'bind-and-nsd.com';

describeOrSkip(BIND_MISSING ?? NSD_MISSING)('BIND and NSD as secondaries', () => {
  let service: TestService;
  let client: Api;
  let id: string;
  let secondaries: readonly Nameserver[] = [];

  beforeAll(async () => {
    service = await startService({ DNS_LISTEN: '127.0.0.1:0' });
    if (!service.dns) throw new Error('the service does not listen');
    client = api(service, await service.key(await service.account()));
    const admin = createInProcessAdmin(service);
    id = await registered(client, NAME);
    secondaries = await Promise.all([
      startBind(admin, 'bind', service.dns),
      startNsd(admin, 'nsd', { primary: service.dns, zone: NAME }),
    ]);
  });
  afterAll(async () => {
    await Promise.all(secondaries.map((each) => each.stop()));
    await service.stop();
  });

  it('serve a record as soon as it is published', async () => {
    const body = { type: 'A', name: 'www', content: '192.0.2.7' };

    const { headers } = await client.post(`/api/domains/${id}/dns/records?wait=published`, body).expect(201);

    expect(headers['zone-published']).toBe('true');
    for (const secondary of secondaries) {
      const found = await secondary.queryRrsets([{ name: `www.${NAME}`, type: 'A' }]);
      expect(found.get(`www.${NAME} A`)).toEqual(['192.0.2.7']);
    }
  });
});
