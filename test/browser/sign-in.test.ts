import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import type { Browser, BrowserContextOptions, CDPSession } from 'playwright-core';
import { InviteUser } from '../../src/application/access/users/invite-user';
import { OPERATOR } from '../../src/domain/access/actor';
import { SessionReader, UserReader } from '../../src/application/ports/access/users';
import { UnitOfWork } from '../../src/application/ports/storage/unit-of-work';
import { seriousFindings } from '../support/dashboard/axe';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { aUser, PASSWORD } from '../support/dashboard/dashboard-client';
import { describeOrSkip } from '../support/describe-or-skip';
import { CLIENT } from '../support/identity/fake-provider';
import { startOidcProvider, type OidcProvider } from '../support/identity/oidc-provider';
import { startService, type TestService } from '../support/service/service';

/** 1280 pixels at a zoom of 200 %. */
const ZOOMED = { viewport: { width: 640, height: 400 } };
const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['forced colors', { forcedColors: 'active' }],
  ['200 % zoom', ZOOMED],
];

async function addAuthenticator(cdp: CDPSession) {
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

describeOrSkip(CHROMIUM_MISSING)('sign-in in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let accountId: string;
  /** Passkeys need a host name. */
  let address: string;

  const folder = mkdtempSync(join(tmpdir(), 'namewright-oidc-'));
  let provider: OidcProvider;

  beforeAll(async () => {
    provider = await startOidcProvider('acme');
    const file = join(folder, 'providers.json');
    writeFileSync(join(folder, 'secret'), CLIENT.secret);
    const acme = {
      name: 'ACME',
      issuer: provider.issuer,
      client_id: CLIENT.id,
      client_secret: { file: 'secret' },
      invitations: true,
    };
    writeFileSync(file, JSON.stringify({ providers: { acme } }));
    service = await startService({ SIGN_IN_ATTEMPTS: '0', OIDC_PROVIDERS_FILE: file });
    browser = await startChromium();
    accountId = await service.account();
    address = `http://localhost:${(service.server.address() as AddressInfo).port}`;
    await provider.register(address);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    provider?.stop();
    rmSync(folder, { recursive: true });
  });

  async function open(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    return { context, page, cdp };
  }

  async function forgetConfirmation(email: string) {
    const [user] = await service.container.get<UserReader>(UserReader).ofEmail(email);
    const sessions = await service.container.get<SessionReader>(SessionReader).ofUser(user?.id ?? '');
    await service.container.get(UnitOfWork).run(async (stores) => {
      for (const { digest } of sessions) await stores.sessions.recordAuthentication(digest, new Date(0));
    });
  }

  it('works with an OpenID Connect provider once it is linked, and switches accounts', async () => {
    const { context, page } = await open();
    const email = await aUser(service, accountId);
    const [other, second] = [await service.account(), { actor: OPERATOR, email: 'second@example.com' }];
    const { token } = await service.container.get(InviteUser).execute({ ...second, accountId: other, role: 'viewer' });
    const signInAtProvider = async () => {
      await page.locator('[name=login]').fill(email.split('@')[0] ?? '');
      await page.locator('[name=password]').fill('any');
      await page.locator('[type=submit]').click();
      await page.locator('[type=submit]').click();
    };

    await page.goto(`${address}/sign-in`);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${address}/`);
    await page.goto(`${address}/settings/providers`);
    await page.getByRole('button', { name: 'Link ACME' }).click();
    await page.getByRole('link', { name: 'Continue to ACME' }).click();
    await signInAtProvider();
    await page.getByText('You can now sign in with ACME.').waitFor();
    expect(await page.getByText('@acme.example').first().isVisible()).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in with ACME' }).click();
    await page.waitForURL(`${address}/`);

    await page.goto(`${address}/set-up?token=${token}`);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: /^Join / }).click();
    await page.getByText('You have joined the account').waitFor();
    await page.getByText('Switch account').click();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Test account' }).click();
    await page.getByText('You are now in the account').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign out of ACME' }).click();
    await page.locator('[name=logout]').click();
    await page.waitForURL(`${address}/sign-in**`);

    await page.getByRole('link', { name: 'Sign in with ACME' }).click();
    await signInAtProvider();
    await page.waitForURL(`${address}/`);
    await page.goto(`${provider.issuer}/session/end`);
    await page.locator('[name=logout]').click();
    await page.waitForLoadState();
    await page.goto(`${address}/domains`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.close();
  });

  it('works with a passkey alone, after a password, and to confirm a sensitive step', async () => {
    const { context, page, cdp } = await open();
    const authenticatorId = await addAuthenticator(cdp);
    const email = await aUser(service, accountId);
    const enterPassword = async () => {
      await page.goto(`${address}/sign-in`);
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    const signOut = async () => {
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL(`${address}/sign-in`);
    };

    await enterPassword();
    await page.waitForURL(`${address}/`);
    await page.goto(`${address}/settings/second-factor/passkey`);
    await page.getByLabel('Name').fill('test laptop');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await page.getByText('test laptop').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('the same laptop');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.getByText('This device has one of your passkeys already').waitFor();
    await signOut();

    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${address}/`);
    await forgetConfirmation(email);
    await page.goto(`${address}/team`);
    await page.getByLabel('E-mail').fill('invited-by-passkey@example.com');
    await page.getByRole('button', { name: 'Create set-up link' }).click();
    await page.getByLabel('Recovery code').waitFor();
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await page.getByRole('heading', { name: 'Set-up link' }).waitFor();
    await page.goto(`${address}/team`);
    await page.getByLabel('E-mail').fill('kept-for-passkey@example.com');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Create set-up link' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Send your form?' }).waitFor();
    expect(await page.getByText('kept-for-passkey@example.com').isVisible()).toBe(true);
    await signOut();

    await enterPassword();
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${address}/`);
    await signOut();

    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('The browser did not use a passkey').waitFor();
    await context.close();
  });

  it('works with an authenticator app and without scripts', async () => {
    const { context, page } = await open({ javaScriptEnabled: false });
    const email = await aUser(service, accountId);
    await page.goto(`${address}/sign-in`);
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${address}/`);
    await page.goto(`${address}/settings/second-factor/app`);
    const secret = ((await page.locator('#totp-key').textContent()) ?? '').replaceAll(' ', '');
    const code = (steps: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * 30 });

    await page.getByLabel('Code', { exact: true }).fill(code(0));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Code', { exact: true }).fill(code(1));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    await page.waitForURL(`${address}/`);
    await context.close();
  });

  it.each(LOOKS)('has pages without an axe finding and without sideways scrolling: %s', async (_look, options) => {
    const { context, page } = await open(options);
    const email = await aUser(service, accountId);
    const findings: string[] = [];
    const check = async () => {
      findings.push(...(await seriousFindings(page)));
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (overflow > 0) findings.push(`${page.url()} is ${overflow} pixels too wide`);
    };
    await page.goto(`${address}/sign-in`);
    await check();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${address}/`);

    for (const path of ['', '/app', '/passkey']) {
      await page.goto(`${address}/settings/second-factor${path}`);
      await check();
    }
    await page.goto(`${address}/team`);
    await page.getByText('Change role').first().click();
    await check();

    expect(findings).toEqual([]);
    await context.close();
  });
});
