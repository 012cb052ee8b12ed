// An adapter for REGISTRIES_FILE: the simulated registry, where every name is ours and stands as `insertDomains` says, and
// expires at `settings.expires`.
import { startSimulated } from '../../dist/infrastructure/registry/sandbox/simulated/start-simulated.js';
import { DELEGATION } from './filling.mjs';

// oxlint-disable-next-line import/no-default-export -- what an operator names as an adapter exports its factory by default
export default async function startStanding({ settings: { expires, ...settings }, ...context }) {
  const running = await startSimulated({ ...context, settings });
  const facts = {
    phase: 'registered',
    ours: true,
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
