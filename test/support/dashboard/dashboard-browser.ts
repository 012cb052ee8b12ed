import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { TestService } from '../service/service';
import { PASSWORD } from './visitor';

/** A person at a browser, and all that the browser complained about: errors on the console, requests to others, forbidden content. */
export class Person {
  private constructor(
    readonly page: Page,
    readonly address: string,
    private readonly context: BrowserContext,
    private readonly complaints: string[],
  ) {}

  static async at(browser: Browser, { server }: TestService, options: BrowserContextOptions = {}): Promise<Person> {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const complaints: string[] = [];
    const page = await context.newPage();
    page.on('console', (message) => {
      // Chromium tells of every answer that is an error; the tests that want one look at it themselves.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${address}/`)) complaints.push(`a request to ${request.url()}`);
    });
    return new Person(page, address, context, complaints);
  }

  async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.address}${path}`);
  }

  async signIn(email: string, password = PASSWORD): Promise<this> {
    await this.goTo('/sign-in');
    await this.page.getByLabel('E-mail').fill(email);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.waitForURL(`${this.address}/`);
    return this;
  }

  /** Goes, and answers what the browser had to complain about. */
  async leave(): Promise<readonly string[]> {
    await this.context.close();
    return this.complaints;
  }
}
