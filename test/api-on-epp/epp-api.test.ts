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
  'sandbox-other-registrar.test.ts',
  'sandbox-years.test.ts',
];
const WITHOUT_REGISTRY =
  /^(access|audit|bad-input|clients-.*|dashboard-(access|forms|keys|links|pagers|reauthentication|records|saved-forms|team|tsig-keys)|domain-search-pages|health|hidden-primary|idempotency|key-limits|openapi|portfolio-dashboard|publication|record-templates|records|sign-in-.*|slow-readers|zone-.*)\.test\.ts$/;
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
