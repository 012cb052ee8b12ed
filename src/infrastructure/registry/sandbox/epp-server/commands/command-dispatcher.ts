import { NAMESPACES } from '../../../epp/codec/namespaces';
import type { CommandContext } from './command-context';
import { ContactCommands } from './contact-commands';
import { DomainCommands } from './domain-commands';
import { DomainQueryCommands } from './domain-query-commands';
import { DomainTransfers } from './domain-transfers';
import { DomainUpdates } from './domain-updates';
import { EppFailure } from '../epp-failure';
import type { EppReply } from '../xml/epp-reply';
import type { Verb } from '../xml/epp-request';
import type { RegistryBackend } from '../registry-backend';
import { HostCommands } from './host-commands';

type Handler = (asking: CommandContext) => Promise<EppReply>;
/** By verb; a transfer's with its operation, `transfer:query`. */
type Handlers = Readonly<Record<string, Handler>>;

/** Which commands change something, and hence are carried out one at a time. */
const TRANSFORMS: readonly Verb[] = ['create', 'delete', 'renew', 'transfer', 'update'];

/** Every command about an object, by the object's namespace and the verb. */
export class CommandDispatcher {
  private readonly handlers: Readonly<Record<string, Handlers>>;

  constructor(backend: RegistryBackend) {
    const queries = new DomainQueryCommands(backend);
    const commands = new DomainCommands(backend, new DomainUpdates(backend));
    const transfers = new DomainTransfers(backend);
    const contacts = new ContactCommands(backend);
    const hosts = new HostCommands(backend);
    this.handlers = {
      [NAMESPACES.domain]: {
        check: (asking) => queries.check(asking),
        info: (asking) => queries.info(asking),
        create: (asking) => commands.create(asking),
        renew: (asking) => commands.renew(asking),
        update: (asking) => commands.update(asking),
        delete: (asking) => commands.delete(asking),
        'transfer:query': (asking) => queries.transferState(asking),
        'transfer:request': (asking) => transfers.request(asking),
        'transfer:approve': (asking) => transfers.approve(asking),
        'transfer:reject': (asking) => transfers.reject(asking),
        'transfer:cancel': (asking) => transfers.cancel(asking),
      },
      [NAMESPACES.contact]: {
        check: (asking) => contacts.check(asking),
        info: (asking) => contacts.info(asking),
        create: (asking) => contacts.create(asking),
        update: (asking) => contacts.update(asking),
        delete: (asking) => contacts.delete(asking),
      },
      ...(backend.hostsAre === 'objects' && {
        [NAMESPACES.host]: {
          check: (asking) => hosts.check(asking),
          info: (asking) => hosts.info(asking),
          create: (asking) => hosts.create(asking),
          update: (asking) => hosts.update(asking),
          delete: (asking) => hosts.delete(asking),
        },
      }),
    };
  }

  get objects(): readonly string[] {
    return Object.keys(this.handlers);
  }

  /** @throws EppFailure where nobody handles it, or the client has not logged in with its object and extensions */
  handlerFor({ request: { verb, element, body, extensions } }: CommandContext, services: readonly string[]): Handler {
    const handlers = this.handlers[body.namespace];
    if (!handlers || !services.includes(body.namespace)) throw new EppFailure(2307);
    if (body.name !== verb) throw new EppFailure(2001, `${verb} and ${body.name} do not go together`);
    for (const { namespace } of extensions)
      if (!services.includes(namespace))
        throw new EppFailure(2103, `${namespace.slice(0, 64)} was not agreed at login`);
    const handler = handlers[verb === 'transfer' ? `transfer:${element.attributes.get('op') ?? ''}` : verb];
    if (!handler) throw new EppFailure(2101);
    return handler;
  }

  transforms(verb: Verb): boolean {
    return TRANSFORMS.includes(verb);
  }
}
