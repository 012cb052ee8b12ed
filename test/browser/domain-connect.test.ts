import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { SyncTemplates } from '../../src/application/dns/domain-connect/catalog/sync-templates';
import { seriousFindings } from '../support/dashboard/axe';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { aUser, PASSWORD } from '../support/dashboard/dashboard-client';
import { describeOrSkip } from '../support/describe-or-skip';
import { keyRecords, PROVIDER, signedLink, templateFile } from '../support/domain-connect/connect-provider';
import { StubResolver } from '../support/nameservers/stub-resolver';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';

const PHONE = { viewport: { width: 360, height: 740 } };

describeOrSkip(CHROMIUM_MISSING)('Domain Connect on a phone', () => {
  const resolver = new StubResolver();
  let service: TestService;
  let provider: Server;
  let browser: Browser;
  let client: Api;
  let email: string;
  let back: string;
  let dashboard: DashboardBrowser;

  beforeAll(async () => {
    resolver.records = keyRecords();
    service = await startService({
      SIGN_IN_ATTEMPTS: '0',
      DOMAIN_CONNECT: 'on',
      PUBLIC_URL: 'http://127.0.0.1',
      HEALTH_RESOLVER: await resolver.start(),
    });
    provider = createServer((req, res) => res.end(`back at the provider: ${req.url ?? ''}`)).listen(0, '127.0.0.1');
    await once(provider, 'listening');
    back = `http://provider.localhost:${(provider.address() as AddressInfo).port}/done`;
    browser = await startChromium();
    const account = await service.account();
    email = await aUser(service, account);
    client = api(service, await service.key(account));
    await service.container.get(SyncTemplates).execute([templateFile(PROVIDER.template)]);
  });
  afterAll(async () => {
    await browser?.close();
    provider?.close();
    await service?.stop();
    resolver.stop();
  });
  afterEach(async () => {
    const problems = await dashboard.close();
    expect(problems.filter((each) => !each.startsWith(`request to ${back}`))).toEqual([]);
  });

  const link = (domain: string) =>
    signedLink({ domain, ip: '192.0.2.7', token: `t${'x'.repeat(200)}`, redirect_uri: back, state: 'abc' });
  const isWide = () => dashboard.page.locator('body').evaluate(({ scrollWidth }) => scrollWidth > 360);

  describe.each([
    { scripts: 'with scripts', shop: 'phone-shop.com', other: 'phone-cancel.com' },
    { scripts: 'without scripts', shop: 'plain-shop.com', other: 'plain-cancel.com' },
  ])('$scripts', ({ scripts, shop, other }) => {
    const javaScriptEnabled = scripts === 'with scripts';
    /** Pages are the same without scripts, in which axe cannot wait. */
    const findings = async () => (javaScriptEnabled ? seriousFindings(dashboard.page) : []);
    beforeEach(async () => {
      dashboard = await DashboardBrowser.open(browser, service, { ...PHONE, javaScriptEnabled });
    });

    it('leads from the provider through sign-in and consent back, and removes the service again', async () => {
      const { page } = dashboard;
      const id = await registered(client, shop);
      await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: '@', content: '192.0.2.1' }).expect(201);

      await dashboard.goTo(link(shop));
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: `Connect ${shop} to Web shop` }).waitFor();
      expect([await isWide(), await findings()]).toEqual([false, []]);
      await page.getByRole('button', { name: `Connect ${shop}` }).click();
      await page.getByText('back at the provider: /done?state=abc').waitFor();

      await dashboard.goTo(`/domains/${id}/connected-services`);
      expect([await isWide(), await findings()]).toEqual([false, []]);
      await page.locator('summary', { hasText: 'Disconnect' }).click();
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('Web shop is disconnected.').waitFor();
      const { body } = await client.get(`/api/domains/${id}/dns/records`).expect(200);
      expect(body).toEqual([]);
    });

    it('leads back without a change on Cancel, and shows why a link is refused', async () => {
      const { page } = await dashboard.signIn(email);
      await registered(client, other);

      await dashboard.goTo(link(other));
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByText('/done?state=abc&error=access_denied&error_description=user_cancel').waitFor();
      await dashboard.goTo(link('not-ours.com'));

      await page.getByRole('alert').getByText('not-ours.com is not among the domains of this account').waitFor();
      expect([await isWide(), await findings()]).toEqual([false, []]);
      await page.getByRole('link', { name: 'Go back to the provider' }).click();
      await page.getByText('/done?state=abc&error=access_denied').waitFor();
    });
  });
});
