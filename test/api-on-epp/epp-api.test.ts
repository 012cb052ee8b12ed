// Runs the API suites with every service on the sandbox EPP server. Excludes suites that choose registries themselves or
// need the simulated registry's sandbox, and those about requests, people, pages and DNS records, which no registry sees.
import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { startExternalEppRegistry } from '../support/epp/external-epp-registry';
import { runServicesOn } from '../support/registries/external-registry';

const EXCLUDED = [
  'dashboard-lifecycle.test.ts',
  'dashboard-registrar.test.ts',
  'record-types.test.ts',
  'registrar-imports.test.ts',
  'registrar-zones.test.ts',
  'registries.test.ts',
  'sandbox-retention.test.ts',
  'sandbox.test.ts',
  'costs.test.ts',
  'sandbox-other-registrar.test.ts',
  'sandbox-years.test.ts',
];
const WITHOUT_REGISTRY =
  /^(access|add-names|approval-rules|audit|bad-input|clients-.*|dashboard-(access|approval-rules|domain|domains|forms|idn-order|keys|links|mail|notices|pagers|proposals|reauthentication|record-changes|records|saved-forms|security|state|team|time-zone|trust-rules|tsig-keys|webhooks)|deprecation|desired-state(-drift)?|domain-connect|domain-lists|domain-search-pages|events|failures|health|hidden-primary|hosted-names|hosted-zones|idempotency|key-limits|key-rotation|live-progress|mcp(-people|-tasks)?|moves|notifications|openapi(-members)?|overtaken-proposals|portfolio-dashboard|proposals|ptr-records|public-cases|publication|record-.*|records|response-listeners|search|sign-in-.*|slow-readers|sub-zone-dnssec|trust-rules|webhooks|zone-.*|zones-in-step)\.test\.ts$/;
const SUITES = resolve(__dirname, '../api');

runServicesOn(() => startExternalEppRegistry());
for (const path of readdirSync(SUITES, { recursive: true, encoding: 'utf8' }).toSorted()) {
  const file = basename(path);
  if (!file.endsWith('.test.ts') || EXCLUDED.includes(file) || WITHOUT_REGISTRY.test(file)) continue;
  describe(`${file}, on EPP`, () => {
    // An import would be hoisted above the choice of the registry.
    require(resolve(SUITES, path));
  });
}
