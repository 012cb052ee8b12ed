import { RegistryRejected } from '../../../src/application/ports/registry/registry-errors';
import type { RegistrySandbox } from '../../../src/application/ports/registry/registry-sandbox';
import { freshName } from '../../../src/testing/registry-fixtures';
import type { TestControls } from '../../../src/testing/test-controls';
import { transferDomain } from '../epp/epp-scenario';
import { RawEpp } from '../epp/raw-epp';
import type { SandboxRegistry } from '../epp/sandbox-registry';

export const ALL_CONTROLS = [
  'advance',
  'loseNextResponse',
  'requestTransfer',
  'nameElsewhere',
  'decideElsewhere',
  'transferCharges',
] as const;

export function sandboxControls(sandbox: () => RegistrySandbox): TestControls {
  return {
    advance: async (days) => void (await sandbox().advance(days)),
    loseNextResponse: async ({ value: target }) => sandbox().injectFault({ kind: 'lose_answer', target, times: 1 }),
    requestTransfer: async (name, authCode) => {
      try {
        await sandbox().transferOut(name, authCode);
        return true;
      } catch (error) {
        if (error instanceof RegistryRejected) return false;
        throw error;
      }
    },
    nameElsewhere: async ({ tld, locked }) => {
      const name = freshName(tld);
      const { code } = await sandbox().registerElsewhere(name, { locked });
      return { name, authCode: code };
    },
    decideElsewhere: async (name, decision) => sandbox().decideElsewhere(name, decision),
    transferCharges: async (name) => (await sandbox().ledger(name)).filter(({ kind }) => kind === 'transfer').length,
  };
}

export function eppControls(registry: SandboxRegistry): TestControls {
  return {
    advance: async (days) => void (await registry.server.advance(days)),
    loseNextResponse: async ({ value: target }) =>
      registry.server.faults.inject({ kind: 'lose_answer', target, times: 1 }),
    requestTransfer: async ({ value: name }, authCode) => {
      const other = await RawEpp.loggedIn(registry, 'second');
      const { code } = await other.send(transferDomain('request', name, authCode));
      await other.close();
      return code === 1001;
    },
  };
}
