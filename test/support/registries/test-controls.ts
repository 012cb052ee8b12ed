import { RegistryRejected } from '../../../src/application/ports/registry/registry-errors';
import type { RegistrySandbox } from '../../../src/application/ports/registry/registry-sandbox';
import { addYears } from '../../../src/domain/shared/time/calendar';
import type { EppCommand } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import { createContact } from '../../../src/infrastructure/registry/epp/mapping/commands/contact-commands';
import {
  createDomain,
  updateDomain,
  type HostMode,
} from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { createHost } from '../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import { freshName, REGISTRANT } from '../../../src/testing/registry-fixtures';
import type { ChargedKind, TestControls } from '../../../src/testing/test-controls';
import { AUTH_CODE, aNewDomain, delegation, transferDomain } from '../epp/epp-scenario';
import { RawEpp } from '../epp/raw-epp';
import type { SandboxRegistry } from '../epp/sandbox-registry';

const LEDGER_KINDS = { registration: 'register', renewal: 'renew', restore: 'restore', transfer: 'transfer' } as const;

export const ALL_CONTROLS = [
  'advance',
  'loseNextResponse',
  'requestTransfer',
  'nameElsewhere',
  'decideElsewhere',
  'transferCharges',
  'lagReads',
  'charges',
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
    charges: async (name, charged) =>
      (await sandbox().ledger(name)).filter(({ kind }) => kind === LEDGER_KINDS[charged]).length,
    transferCharges: async (name) => (await sandbox().ledger(name)).filter(({ kind }) => kind === 'transfer').length,
  };
}

export function eppControls(registry: SandboxRegistry, hostMode: HostMode = 'object'): TestControls {
  const asOther = async (...commands: readonly EppCommand[]): Promise<number> => {
    const other = await RawEpp.loggedIn(registry, 'second');
    let code = 0;
    for (const command of commands) ({ code } = await other.send(command));
    await other.close();
    return code;
  };
  return {
    advance: async (days) => void (await registry.server.advance(days)),
    loseNextResponse: async ({ value: target }) =>
      registry.server.faults.inject({ kind: 'lose_answer', target, times: 1 }),
    requestTransfer: async ({ value: name }, authCode) =>
      (await asOther(transferDomain('request', name, authCode))) === 1001,
    nameElsewhere: async ({ tld, locked }) => {
      const name = freshName(tld);
      const hosts = delegation('ns1.elsewhere.example', 'ns2.elsewhere.example');
      const wanted = aNewDomain({ name: name.value, hosts, hostMode, registrant: 'ELSEWHERE', contacts: [] });
      const lock = updateDomain(name.value, { add: { statuses: ['clientTransferProhibited'] } }, hostMode);
      const code = await asOther(
        createContact('ELSEWHERE', REGISTRANT, AUTH_CODE),
        ...(hostMode === 'object' ? hosts.map(({ host }) => createHost(host, [])) : []),
        createDomain(wanted),
        ...(locked ? [lock] : []),
      );
      if (code !== 1000) throw new Error(`the other registrar could not register ${name.value}: ${code}`);
      return { name, authCode: AUTH_CODE, expiresAt: addYears(new Date(await registry.server.advance(0)), 1) };
    },
    decideElsewhere: async ({ value: name }, decision) => {
      const code = await asOther(transferDomain(decision, name));
      if (code !== 1000) throw new Error(`${decision} of the transfer of ${name}: ${code}`);
    },
    charges: ({ value }, charged) => eppCharges(registry, value, charged),
    transferCharges: async ({ value }) =>
      (await registry.server.charges(registry.registrars.first.id)).filter(
        ({ kind, name }) => kind === 'transfer' && name === value,
      ).length,
  };
}

export async function eppCharges(registry: SandboxRegistry, name: string, charged: ChargedKind): Promise<number> {
  const charges = await registry.server.charges(registry.registrars.first.id);
  return charges.filter((each) => each.kind === LEDGER_KINDS[charged] && each.name === name).length;
}
