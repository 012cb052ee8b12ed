import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { TestService } from '../service/service';
import { PASSWORD } from './dashboard-client';

/** A page in Chromium that records problems: console errors, dialogs, and requests to other hosts. */
export class DashboardBrowser {
  private constructor(
    readonly page: Page,
    readonly address: string,
    private readonly context: BrowserContext,
    private readonly problems: string[],
  ) {}

  static async open(
    browser: Browser,
    { server }: TestService,
    options: BrowserContextOptions = {},
  ): Promise<DashboardBrowser> {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const problems: string[] = [];
    const page = await context.newPage();
    page.on('console', (message) => {
      // Chromium logs every error response. Tests that expect one check it themselves.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${address}/`)) problems.push(`request to ${request.url()}`);
    });
    return new DashboardBrowser(page, address, context, problems);
  }

  /** Returns the status. */
  async goTo(path: string): Promise<number | undefined> {
    return (await this.page.goto(`${this.address}${path}`))?.status();
  }

  async signIn(email: string, password = PASSWORD): Promise<this> {
    await this.goTo('/sign-in');
    await this.page.getByLabel('E-mail').fill(email);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.waitForURL(`${this.address}/`);
    return this;
  }

  /** Closes the browser context. Returns the recorded problems. */
  async close(): Promise<readonly string[]> {
    await this.context.close();
    return this.problems;
  }
}
