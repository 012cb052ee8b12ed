import type { Browser } from 'playwright-core';
import { seriousFindings } from '../support/dashboard/axe';
import { aUser } from '../support/dashboard/dashboard-client';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { startExternalEppRegistry } from '../support/epp/external-epp-registry';
import { describeOrSkip } from '../support/describe-or-skip';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';

describeOrSkip(CHROMIUM_MISSING)('transfers between registrars in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let email: string;
  let client: Api;
  let dashboard: DashboardBrowser;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    browser = await startChromium();
    const accountId = await service.account();
    email = await aUser(service, accountId);
    client = api(service, await service.key(accountId));
    await registered(client, 'registrant-to-copy.com');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  beforeEach(async () => {
    dashboard = await DashboardBrowser.open(browser, service);
  });
  /** No test may cause a console error, a CSP violation or a request to another host. */
  afterEach(async () => {
    expect(await dashboard.close()).toEqual([]);
  });

  const elsewhere = async (name: string): Promise<string> =>
    (await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200)).body.auth_code;
  const decide = (name: string, decision: string) =>
    client.post('/api/sandbox/other-registrar/decisions', { name, decision }).expect(200);
  /** Serious findings of axe, in light and dark, and whether the page is wider than a phone. */
  async function problems(page = dashboard.page): Promise<readonly string[]> {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      // Without motion, axe does not measure the contrast of a color in transition.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 360, height: 800 });
      found.push(...(await seriousFindings(page)).map((finding) => `${colorScheme} ${finding}`));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > 360) found.push(`${page.url()} is ${width} pixels wide`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    return found;
  }

  it('transfers a name from the other registrar of the sandbox, with its price, and follows it until it is here', async () => {
    const code = await elsewhere('coming-home.com');
    const { page } = await dashboard.signIn(email);

    await page.getByRole('link', { name: 'Transfers' }).click();
    await page.getByRole('link', { name: 'Transfer a domain', exact: true }).waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole('link', { name: 'Transfer a domain', exact: true }).click();
    await page.getByRole('textbox', { name: 'Domain' }).fill('coming-home.com');
    expect(await problems()).toEqual([]);
    await page.getByRole('button', { name: 'Show price' }).click();
    await page.getByText('$10.44, which extends the registration by 1 year').waitFor();
    await page.getByLabel('Auth code').fill(code);
    expect(await problems()).toEqual([]);
    await page.getByRole('button', { name: 'Transfer for $10.44' }).click();
    await page.getByText('pending', { exact: true }).waitFor();
    expect(await problems()).toEqual([]);

    await decide('coming-home.com', 'approve');
    await client.post('/api/sandbox/advance', { days: 1 }).expect(200);
    await page.getByText('completed', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'View domain' }).click();

    await page.getByRole('heading', { name: 'coming-home.com active' }).waitFor();
    await page.getByText('Registrar', { exact: true }).waitFor();
  });

  it('shows why a transfer was rejected, and cancels one', async () => {
    await elsewhere('wrong-code.com');
    const code = await elsewhere('changed-my-mind.com');
    const { page } = await dashboard.signIn(email);
    const order = async (name: string, authCode: string) => {
      await dashboard.goTo(`/transfers/new?name=${name}`);
      await page.getByLabel('Auth code').fill(authCode);
      await page.getByRole('button', { name: 'Transfer for $10.44' }).click();
    };

    await order('wrong-code.com', 'wrong');
    await page.getByText('rejected', { exact: true }).waitFor();
    await page.getByText(/auth code/).waitFor();
    await order('changed-my-mind.com', code);
    await page.getByText('pending', { exact: true }).waitFor();
    await page.locator('summary', { hasText: 'Cancel the transfer' }).click();
    await page.getByRole('button', { name: 'Cancel the transfer' }).click();

    await page.getByText('cancelled', { exact: true }).waitFor();
  });

  it('shows a transfer to another registrar with its deadline, and rejects it', async () => {
    const id = await registered(client, 'wanted-elsewhere.com');
    const { body } = await client.post(`/api/domains/${id}/auth-code`).expect(200);
    await client.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    await client
      .post('/api/sandbox/transfer-out', { name: 'wanted-elsewhere.com', auth_code: body.auth_code })
      .expect(200);
    await client.post('/api/sandbox/advance', { days: 1 }).expect(200);
    const { page } = await dashboard.signIn(email);

    await dashboard.goTo(`/domains/${id}`);
    await page.getByText(/Another registrar requested a transfer on/).waitFor();
    await page.getByText(/If no one decides, the domain moves to the other registrar on .*in 4 days/).waitFor();
    expect(await problems()).toEqual([]);
    await page.locator('summary', { hasText: 'Reject the transfer' }).click();
    await page.getByRole('button', { name: 'Reject the transfer' }).click();

    await page.getByText('The transfer was rejected. The domain stays in this account.').waitFor();
  });

  it('releases a domain to the tag of another registrar, after a warning', async () => {
    const outside = await startExternalEppRegistry({ personality: 'nominet' });
    const nominet = await startService({ ...outside.settings, SIGN_IN_ATTEMPTS: '0' });
    const releasing = await DashboardBrowser.open(browser, nominet);
    try {
      const { page } = releasing;
      const account = await nominet.account();
      const id = await registered(api(nominet, await nominet.key(account)), 'moving-on.co.uk');
      await releasing.signIn(await aUser(nominet, account));

      const offered: (string | undefined)[] = [];
      for (const word of ['release', 'auth']) {
        await releasing.goTo(`/palette?q=moving-on.co.uk+${word}`);
        offered.push(/"url":"([^"]*)"/.exec(await page.content())?.[1]);
      }
      expect(offered).toEqual([`/domains/${id}/release`, undefined]);
      await releasing.goTo(`/domains/${id}`);
      await page.getByRole('link', { name: 'Release', exact: true }).click();
      await page.getByText(/nameservers of this service stop answering/).waitFor();
      expect(await problems(page)).toEqual([]);
      await page.getByLabel('Tag of the new registrar').fill('WRONG-TAG');
      await page.getByLabel('Type moving-on.co.uk to confirm').fill('moving-on.co.uk');
      await page.getByRole('button', { name: 'Release moving-on.co.uk' }).click();
      await page.getByText(/V016/).waitFor();
      expect(await problems(page)).toEqual([]);
      await page.getByLabel('Tag of the new registrar').fill('second-regist');
      await page.getByLabel('Type moving-on.co.uk to confirm').fill('moving-on.co.uk');
      await page.getByRole('button', { name: 'Release moving-on.co.uk' }).click();

      await page.getByText('moving-on.co.uk was released to second-regist and has left this account.').waitFor();
      expect(await releasing.close()).toEqual([]);
    } finally {
      await nominet.stop();
      await outside.stop();
    }
  });
});
