// Signs zones in this process: node sign-zones.mjs DOMAIN_ID…, with DATABASE_URL and SECRET_KEY in the environment. Prints one line
// of JSON: seconds, and the longest delay of the event loop in milliseconds.
import 'reflect-metadata';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createContainer } from '../../dist/container/container.js';
import { loadConfig } from '../../dist/config.js';
import { ZoneSigner } from '../../dist/application/dns/dnssec/zone-signer.js';
import { UnitOfWork } from '../../dist/application/ports/storage/unit-of-work.js';

const NS_PER_MS = 1_000_000;

const { container, close } = await createContainer(loadConfig(process.env));
const signer = container.get(ZoneSigner);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const began = performance.now();
for (const domainId of process.argv.slice(2)) {
  const key = await signer.createKey();
  await signer.prepare(domainId, { denial: 'nsec', addedKey: key });
  await container.get(UnitOfWork).run((stores) => signer.start(stores, domainId, { denial: 'nsec', key }));
}
const seconds = (performance.now() - began) / 1_000;
delay.disable();
process.stdout.write(`${JSON.stringify({ seconds, delayMs: delay.max / NS_PER_MS })}\n`);
await close();
