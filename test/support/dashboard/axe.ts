import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

declare const axe: { run: (context: Document, options: RunOptions) => Promise<AxeResults> };

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Serious axe violations, of these rules only if any are given. Run through DevTools, because the page's Content-Security-Policy forbids other scripts. */
export async function seriousFindings(page: Page, ...rules: readonly string[]): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: `globalThis.axe ?? (() => {${AXE}})()` });
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
