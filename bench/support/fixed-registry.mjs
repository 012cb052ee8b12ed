// An adapter for REGISTRIES_FILE: the simulated registry, whose `info` returns the values of `insertDomains` for every name,
// with the expiry `settings.expires`.
import { startSimulated } from '#dist/infrastructure/registry/sandbox/simulated/start-simulated.js';
import { DELEGATION } from './test-data.mjs';

/** @param {any} context */
// oxlint-disable-next-line import/no-default-export -- an adapter module must export its factory by default
export default async function startFixed({ settings: { expires, ...settings }, ...context }) {
  const running = await startSimulated({ ...context, settings });
  const facts = {
    phase: 'registered',
    sponsoredByUs: true,
    createdByUs: true,
    createdAt: new Date(0),
    expiresAt: new Date(expires),
    nameservers: DELEGATION,
    transferLocked: true,
    transferPending: false,
  };
  const info = async (name) => ({ name, ...facts });
  return {
    ...running,
    port: new Proxy(running.port, {
      get: (target, method) => (method === 'info' ? info : target[method].bind(target)),
    }),
  };
}
