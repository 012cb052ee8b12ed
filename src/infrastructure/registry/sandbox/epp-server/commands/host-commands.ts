import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, tokenOf, elementFactory, type XmlElement } from '../../../epp/codec/xml-element';
import { ipVersionOf } from '../../../epp/mapping/commands/host-commands';
import type { CommandContext } from './command-context';
import { canonicalAddress, nameOf, roidOf } from '../xml/domain-xml';
import { EppError } from '../epp-error';
import type { ResponseData } from '../xml/epp-response';
import { required, requiredAll } from '../xml/epp-request';
import type { RegistryBackend } from '../registry-backend';
import type { Host } from '../backend-store';
import { assertNotProhibited, assertUpdatable, changedStatuses, clientStatuses } from '../xml/status-xml';

const HOST = NAMESPACES.host;
const host = elementFactory(HOST);

const SETTABLE = ['clientDeleteProhibited', 'clientUpdateProhibited'];
const MAX_CHECKED = 100;
const MAX_ADDRESSES = 13;

/** RFC 5732. A host under a domain of this registry belongs to the domain's sponsor and needs addresses; others have none. */
export class HostCommands {
  constructor(private readonly backend: RegistryBackend) {}

  async check({ request }: CommandContext): Promise<ResponseData> {
    const names = requiredAll(request.body, HOST, 'name', MAX_CHECKED).map((text) => nameOf(text).value);
    const taken = new Set((await this.backend.store.hosts(names)).map(({ name }) => name));
    const data = names.map((name) =>
      host('cd', [
        host('name', name, { avail: taken.has(name) ? '0' : '1' }),
        taken.has(name) ? host('reason', 'In use') : undefined,
      ]),
    );
    return { resData: host('chkData', data) };
  }

  async info({ request }: CommandContext): Promise<ResponseData> {
    const found = await this.found(required(request.body, HOST, 'name'));
    const linked = (await this.backend.store.domainsOn(found.name)).length > 0;
    const statuses = [...found.statuses, ...(linked ? ['linked'] : [])];
    const data = host('infData', [
      host('name', found.name),
      host('roid', roidOf('H', found.name, new Date(found.createdAt))),
      (found.statuses.length > 0 ? statuses : ['ok', ...statuses]).map((s) => host('status', undefined, { s })),
      found.addresses.map((address) => host('addr', address, { ip: ipVersionOf(address) })),
      host('clID', await this.sponsorOf(found)),
      host('crID', found.creator),
      host('crDate', new Date(found.createdAt).toISOString()),
      found.updatedBy === null || found.updatedAt === null
        ? undefined
        : [host('upID', found.updatedBy), host('upDate', new Date(found.updatedAt).toISOString())],
    ]);
    return { resData: data };
  }

  async create({ request: { body }, registrar, now }: CommandContext): Promise<ResponseData> {
    const { value: name } = nameOf(required(body, HOST, 'name'));
    const addresses = addressesOf(body);
    await this.assertAddressesAllowed(name, addresses, registrar);
    const created: Host = {
      name,
      addresses,
      sponsor: registrar,
      creator: registrar,
      createdAt: now.getTime(),
      updatedBy: null,
      updatedAt: null,
      statuses: [],
    };
    if (!(await this.backend.store.addHost(created))) throw new EppError(2302, `${name} is in use`);
    return { resData: host('creData', [host('name', name), host('crDate', now.toISOString())]) };
  }

  async update({ request: { body }, registrar, now }: CommandContext): Promise<ResponseData> {
    const found = await this.sponsored(required(body, HOST, 'name'), registrar);
    const [added, removed] = [clientStatuses(body, 'add', SETTABLE), clientStatuses(body, 'rem', SETTABLE)];
    assertUpdatable(found.statuses, removed);
    const name = await this.newNameOf(body, found);
    const addresses = changedAddresses(
      found.addresses,
      addressesOf(childOf(body, HOST, 'add')),
      addressesOf(childOf(body, HOST, 'rem')),
    );
    if (name !== found.name || addresses.join() !== found.addresses.join())
      await this.assertAddressesAllowed(name, addresses, registrar);
    const statuses = changedStatuses(found.statuses, added, removed);
    await this.backend.store.saveHost(found.name, {
      ...found,
      name,
      addresses,
      statuses,
      updatedBy: registrar,
      updatedAt: now.getTime(),
    });
    return {};
  }

  async delete({ request, registrar }: CommandContext): Promise<ResponseData> {
    const { name, statuses } = await this.sponsored(required(request.body, HOST, 'name'), registrar);
    assertNotProhibited(statuses, 'clientDeleteProhibited');
    await this.assertUnlinked(name);
    await this.backend.store.removeHost(name);
    return {};
  }

  private async newNameOf(body: XmlElement, found: Host): Promise<string> {
    const text = tokenOf(childOf(childOf(body, HOST, 'chg'), HOST, 'name'));
    if (text === undefined) return found.name;
    const { value: name } = nameOf(text);
    await this.assertUnlinked(found.name);
    if ((await this.backend.store.hosts([name])).length > 0) throw new EppError(2302, `${name} is in use`);
    return name;
  }

  private async assertUnlinked(name: string): Promise<void> {
    if ((await this.backend.store.domainsOn(name)).length > 0)
      throw new EppError(2305, `Domains are delegated to ${name}`);
  }

  private async assertAddressesAllowed(name: string, addresses: readonly string[], registrar: string): Promise<void> {
    const superordinate = this.backend.superordinateOf(name);
    if (!superordinate) {
      if (addresses.length > 0)
        throw new EppError(2306, `${name} is not under a TLD of this registry, so it must not have addresses`);
      return;
    }
    const { sponsor } = await this.backend.requireRegistered(superordinate);
    if (sponsor !== registrar) throw new EppError(2201, `${superordinate.value} is sponsored by another registrar`);
    if (addresses.length === 0) throw new EppError(2003, `${name} needs an address`);
  }

  private async sponsored(text: string, registrar: string): Promise<Host> {
    const found = await this.found(text);
    if ((await this.sponsorOf(found)) !== registrar) throw new EppError(2201);
    return found;
  }

  private async sponsorOf({ name, sponsor }: Host): Promise<string> {
    const superordinate = this.backend.superordinateOf(name);
    return (superordinate && (await this.backend.core.find(superordinate))?.sponsor) ?? sponsor;
  }

  private async found(text: string): Promise<Host> {
    const { value: name } = nameOf(text);
    const [found] = await this.backend.store.hosts([name]);
    if (!found) throw new EppError(2303, 'The host does not exist', host('name', name));
    return found;
  }
}

function addressesOf(parent: XmlElement | undefined): readonly string[] {
  const addresses = childrenOf(parent, HOST, 'addr').map((address) => canonicalAddress(tokenOf(address) ?? ''));
  if (addresses.length > MAX_ADDRESSES) throw new EppError(2308, `A host has at most ${MAX_ADDRESSES} addresses`);
  return [...new Set(addresses)];
}

function changedAddresses(
  present: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): readonly string[] {
  for (const address of added)
    if (present.includes(address)) throw new EppError(2306, `The host already has ${address}`);
  for (const address of removed)
    if (!present.includes(address)) throw new EppError(2306, `The host does not have ${address}`);
  return [...present.filter((address) => !removed.includes(address)), ...added];
}
