import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

declare const axe: { run: (context: Document, options: RunOptions) => Promise<AxeResults> };

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Gives axe to every page that is visited from now on: for tests that check many, to each of which it would be sent. */
export async function bringAxe(page: Page): Promise<void> {
  await page.addInitScript({ content: AXE });
}

export type AxeRules = Pick<RunOptions, 'runOnly' | 'rules'>;

/** Serious axe violations of all rules, or of those of `rules`. Run through DevTools, because the page's Content-Security-Policy forbids other scripts. */
export async function seriousFindings(page: Page, rules: AxeRules = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    // Not detached, which would take away the authenticators that another session has added to the page.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: AXE });
  }
  const { violations, passes } = await page.evaluate(
    (options) => axe.run(document, { resultTypes: ['violations'], ...options }),
    rules,
  );
  if (!rules.runOnly && passes.length < 10) throw new Error(`axe checked only ${passes.length} rules`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
