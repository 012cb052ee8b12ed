// The suites of the interface, unchanged, with every service on the sandbox registry over EPP. `registries.test.ts` is
// about the choice of registries and makes it itself; what is called sandbox is about the simulated one, and
// `dashboard-lifecycle.test.ts` walks through the page that only that one has.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { startEppOutside } from '../support/epp/external-epp-registry';
import { runServicesOn } from '../support/registries/external-registry';

const ELSEWHERE = ['dashboard-lifecycle.test.ts', 'registries.test.ts', 'sandbox.test.ts', 'sandbox-years.test.ts'];
const SUITES = resolve(__dirname, '../api');

runServicesOn(() => startEppOutside());
for (const file of readdirSync(SUITES).toSorted()) {
  if (!file.endsWith('.test.ts') || ELSEWHERE.includes(file)) continue;
  describe(`${file}, on EPP`, () => {
    // An import would be hoisted above the choice of the registry.
    require(resolve(SUITES, file));
  });
}
