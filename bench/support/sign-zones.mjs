// Signs zones in this process: node sign-zones.mjs DOMAIN_ID…, with DATABASE_URL and SECRET_KEY in the environment. Prints one line
// of JSON: seconds, and the longest event-loop task in milliseconds of CPU time.
import 'reflect-metadata';
import { createContainer } from '#dist/container/container.js';
import { loadConfig } from '#dist/config.js';
import { ZoneSigner } from '#dist/application/dns/signing/zone-signer.js';
import { UnitOfWork } from '#dist/application/ports/storage/unit-of-work.js';
import { processorMs } from './processor-time.mjs';

const { container, close } = await createContainer(loadConfig(process.env));
const signer = container.get(ZoneSigner);
let [last, longest] = [processorMs(), 0];
const probe = setInterval(() => {
  const now = processorMs();
  [last, longest] = [now, Math.max(longest, now - last)];
}, 1);
const began = performance.now();
for (const domainId of process.argv.slice(2)) {
  const key = await signer.createKey();
  await signer.prepare(domainId, { denial: 'nsec', addedKey: key });
  await container.get(UnitOfWork).run((stores) => signer.start(stores, domainId, { denial: 'nsec', key }));
}
const seconds = (performance.now() - began) / 1_000;
clearInterval(probe);
process.stdout.write(`${JSON.stringify({ seconds, longestMs: longest })}\n`);
await close();
