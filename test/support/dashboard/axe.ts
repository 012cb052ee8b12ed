import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

declare const axe: { run: (context: Document, options: RunOptions) => Promise<AxeResults> };

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Gives axe to every page that is visited from now on: for tests that check many, to each of which it would be sent. */
export async function bringAxe(page: Page): Promise<void> {
  await page.addInitScript({ content: AXE });
}

/** Serious axe violations, of these rules only if any are given. Run through DevTools, because the page's Content-Security-Policy forbids other scripts. */
export async function seriousFindings(page: Page, ...rules: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: AXE });
    await session.detach();
  }
  const { violations, passes } = await page.evaluate(
    (values) =>
      axe.run(document, {
        resultTypes: ['violations'],
        ...(values.length > 0 && { runOnly: { type: 'rule', values } }),
      }),
    [...rules],
  );
  if (rules.length === 0 && passes.length < 10) throw new Error(`axe checked only ${passes.length} rules`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
