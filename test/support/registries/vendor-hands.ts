import { RegistryRejected } from '../../../src/application/ports/registry/registry-errors';
import type { RegistrySandbox } from '../../../src/application/ports/registry/registry-sandbox';
import type { VendorHands } from '../../../src/testing/vendor-hands';
import { transferDomain } from '../epp/epp-scene';
import { RawEpp } from '../epp/raw-epp';
import type { SandboxRegistry } from '../epp/sandbox-registry';

export const ALL_HANDS = ['advance', 'loseNextAnswer', 'requestTransfer'] as const;

export function sandboxHands(sandbox: () => RegistrySandbox): VendorHands {
  return {
    advance: async (days) => void (await sandbox().advance(days)),
    loseNextAnswer: async ({ value: target }) => sandbox().injectFault({ kind: 'lose_answer', target, times: 1 }),
    requestTransfer: async (name, authCode) => {
      try {
        await sandbox().transferOut(name, authCode);
        return true;
      } catch (error) {
        if (error instanceof RegistryRejected) return false;
        throw error;
      }
    },
  };
}

export function eppHands(registry: SandboxRegistry): VendorHands {
  return {
    advance: async (days) => void (await registry.server.advance(days)),
    loseNextAnswer: async ({ value: target }) =>
      registry.server.faults.inject({ kind: 'lose_answer', target, times: 1 }),
    requestTransfer: async ({ value: name }, authCode) => {
      const other = await RawEpp.loggedIn(registry, 'second');
      const { code } = await other.send(transferDomain('request', name, authCode));
      await other.close();
      return code === 1001;
    },
  };
}
