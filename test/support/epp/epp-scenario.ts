import { epp, transform, type EppCommand } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import { elementFactory } from '../../../src/infrastructure/registry/epp/codec/xml-element';
import { createContact } from '../../../src/infrastructure/registry/epp/mapping/commands/contact-commands';
import {
  createDomain,
  infoDomain,
  type DelegatedHost,
  type EppNewDomain,
} from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { domainInfoOf, type DomainInfo } from '../../../src/infrastructure/registry/epp/mapping/domain-data';
import { createHost } from '../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import { freshName, REGISTRANT } from '../../../src/testing/registry-fixtures';
import { RawEpp } from './raw-epp';
import { startSandboxRegistry, type SandboxRegistry } from './sandbox-registry';

export const AUTH_CODE = 'an auth code that is not guessed';

const domain = elementFactory(NAMESPACES.domain);
const HOSTS = ['ns1.outside.example', 'ns2.outside.example', 'ns3.outside.example'];

/** A sandbox EPP server with two logged-in registrars, three external hosts and a contact of the first registrar. */
export class EppScenario {
  private constructor(
    readonly registry: SandboxRegistry,
    readonly first: RawEpp,
    readonly second: RawEpp,
  ) {}

  static async open(): Promise<EppScenario> {
    const registry = await startSandboxRegistry();
    const scene = new EppScenario(registry, await RawEpp.loggedIn(registry), await RawEpp.loggedIn(registry, 'second'));
    for (const host of HOSTS) await scene.first.send(createHost(host, []));
    await scene.first.send(createContact('HOLDER-1', REGISTRANT, AUTH_CODE));
    return scene;
  }

  /** @throws if a frame violated the schemas or the server logged an error */
  async close(): Promise<void> {
    await this.first.close();
    await this.second.close();
    const faults = await this.registry.faults();
    await this.registry.stop();
    expect(this.registry.frames()).toBeGreaterThan(10);
    expect(faults).toEqual([]);
    expect(this.registry.log.entries.filter(({ level }) => level === 'error')).toEqual([]);
  }

  /** The first registrar registers a name. */
  async registered(change: Partial<EppNewDomain> = {}): Promise<string> {
    const wanted = aNewDomain(change);
    expect(await this.code(createDomain(wanted))).toBe(1000);
    return wanted.name;
  }

  /** The `<info>` data for the first registrar. */
  async info(name: string): Promise<DomainInfo> {
    return domainInfoOf(await this.first.send(infoDomain(name)));
  }

  async code(command: EppCommand, client: RawEpp = this.first): Promise<number> {
    return (await client.send(command)).code;
  }
}

export function delegation(...hosts: string[]): readonly DelegatedHost[] {
  return hosts.map((host) => ({ host, addresses: [] }));
}

export function aNewDomain(change: Partial<EppNewDomain> = {}): EppNewDomain {
  return {
    name: freshName().value,
    years: 1,
    hosts: delegation('ns1.outside.example', 'ns2.outside.example'),
    hostMode: 'object',
    registrant: 'HOLDER-1',
    contacts: [
      { type: 'admin', id: 'HOLDER-1' },
      { type: 'tech', id: 'HOLDER-1' },
    ],
    authCode: AUTH_CODE,
    ...change,
  };
}

export function transferDomain(op: string, name: string, password?: string): EppCommand {
  const body = domain('transfer', [
    domain('name', name),
    password === undefined ? undefined : domain('authInfo', domain('pw', password)),
  ]);
  return transform(`transfer:${op}`, epp('transfer', body, { op }));
}
