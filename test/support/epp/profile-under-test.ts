import { addYears } from '../../../src/domain/shared/time/calendar';
import { RegistrationTerm } from '../../../src/domain/registration/registration-term';
import { RegistryRejected } from '../../../src/application/ports/registry/registry-errors';
import { startEpp } from '../../../src/infrastructure/registry/epp/start-epp';
import type { RunningRegistry, RegistryContext } from '../../../src/infrastructure/registry/registry-adapter';
import {
  PERSONALITIES,
  type PersonalityName,
} from '../../../src/infrastructure/registry/sandbox/epp-server/personalities/personalities';
import type { Personality } from '../../../src/infrastructure/registry/sandbox/epp-server/personalities/personality';
import { createRegistryContext } from '../../../src/testing/create-registry-context';
import type { RegistryUnderTest } from '../../../src/testing/registry-contract';
import { freshHosts, freshId, freshName, register, REGISTRANT } from '../../../src/testing/registry-fixtures';
import type { TestControls } from '../../../src/testing/test-controls';
import { LaggingReads } from '../registries/lagging-reads';
import { eppCharges } from '../registries/test-controls';
import { RawEpp } from './raw-epp';
import { startSandboxRegistry, type SandboxRegistry } from './sandbox-registry';

export const PROFILE_CONTROLS = [
  'advance',
  'loseNextResponse',
  'requestTransfer',
  'nameElsewhere',
  'transferCharges',
  'lagReads',
  'charges',
] as const;

/** Settings of a registrar that depend on its account at the registry, like contact ids. */
type Prepare = (registrar: RawEpp) => Promise<Readonly<Record<string, unknown>>>;

/**
 * With the commands on objects that its server receives.
 *
 * The adapter with a profile, at the sandbox in the personality of the same name. The other registrar of the controls is a second
 * adapter with the profile: a personality refuses the plain frames of other tests.
 */
export async function profileUnderTest(
  personality: PersonalityName,
  prepare: Prepare = async () => ({}),
): Promise<RegistryUnderTest & { readonly commands: string[] }> {
  const commands: string[] = [];
  const sandbox = await startSandboxRegistry({
    personality,
    watch: (_direction, document) => {
      const [, object, verb] = /<command>.*?<(contact|domain|host):(\w+)/s.exec(document) ?? [];
      if (object && verb) commands.push(`${object}:${verb}`);
    },
  });
  const simulated: Personality = PERSONALITIES[personality];
  const { priceList = [] } = simulated;
  const contextOf = async (who: 'first' | 'second'): Promise<RegistryContext> => {
    const client = await RawEpp.loggedIn(sandbox, who);
    const own = await prepare(client);
    await client.close();
    const { id, password } = sandbox.registrars[who];
    const settings = {
      host: sandbox.host,
      port: sandbox.port,
      ca: sandbox.certificate.certificate,
      client_id: id,
      password,
      profile: personality,
      ...own,
    };
    const tlds = priceList.map(({ suffix, years, periods, prices: { registration, renewal, restore } }) => ({
      suffix,
      years,
      periods,
      price: { registration, renewal, ...(restore && { restore }) },
    }));
    return { ...createRegistryContext({ settings }), tlds };
  };
  const context = await contextOf('first');
  let running = await startEpp(context);
  const other = await startEpp(await contextOf('second'));
  const reads = new LaggingReads();
  return {
    commands,
    registry: reads.of(running.port),
    controls: { ...controlsOf(sandbox, other, simulated), lagReads: reads.lagReads },
    reopen: async () => {
      await running.close();
      running = await startEpp(context);
      return reads.of(running.port);
    },
    close: async () => {
      await running.close();
      await other.close();
      const faults = await sandbox.faults();
      await sandbox.stop();
      if (faults.length > 0) throw new Error(`frames violate the schemas:\n${faults.join('\n')}`);
    },
  };
}

function controlsOf(
  sandbox: SandboxRegistry,
  { port: other }: RunningRegistry,
  { authCodes: { issuedBy } }: Personality,
): TestControls {
  const { server, registrars } = sandbox;
  return {
    advance: async (days) => void (await server.advance(days)),
    loseNextResponse: async ({ value: target }, command) => {
      const byInfo = command === 'issueAuthCode' && issuedBy !== 'client';
      await server.faults.inject({ kind: byInfo ? 'drop_after' : 'lose_answer', target, times: 1 });
    },
    requestTransfer: async (name, authCode) => {
      const term = RegistrationTerm.ofYears(1);
      const price = await other.transferPrice(name, term);
      try {
        await other.requestTransfer({ name, term, registrant: REGISTRANT, authCode, price, transactionId: freshId() });
        return true;
      } catch (error) {
        if (error instanceof RegistryRejected) return false;
        throw error;
      }
    },
    nameElsewhere: async ({ tld, locked }) => {
      const name = freshName(tld);
      const { expiresAt } = await register(other, name);
      await other.setNameservers(name, freshHosts(2), [], freshId());
      const unlocks = other.policies().every(({ unsupported = [] }) => !unsupported.includes('transfer_lock'));
      if (unlocks && !locked) await other.setTransferLock(name, false, freshId());
      const { code } = await other.issueAuthCode(name, freshId());
      return { name, authCode: code, expiresAt: expiresAt ?? addYears(await server.advance(0), 1) };
    },
    charges: ({ value }, charged) => eppCharges(sandbox, value, charged),
    transferCharges: async ({ value }) =>
      (await server.charges(registrars.first.id)).filter(({ kind, name }) => kind === 'transfer' && name === value)
        .length,
  };
}
