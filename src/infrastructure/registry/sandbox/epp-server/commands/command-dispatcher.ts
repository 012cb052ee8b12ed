import { NAMESPACES } from '../../../epp/codec/namespaces';
import type { CommandContext } from './command-context';
import { ContactCommands } from './contact-commands';
import { DomainCommands } from './domain-commands';
import { DomainContacts } from './domain-contacts';
import { DomainQueryCommands } from './domain-query-commands';
import { DomainTransfers } from './domain-transfers';
import { DomainUpdates } from './domain-updates';
import { EppError } from '../epp-error';
import type { ResponseData } from '../xml/epp-response';
import type { Verb } from '../xml/epp-request';
import type { RegistryBackend } from '../registry-backend';
import { HostCommands } from './host-commands';

type Handler = (context: CommandContext) => Promise<ResponseData>;
/** By verb; for transfers by verb and operation, `transfer:query`. */
type Handlers = Readonly<Record<string, Handler>>;

/** Transform commands, which run one at a time. */
const TRANSFORMS: readonly Verb[] = ['create', 'delete', 'renew', 'transfer', 'update'];

/** Finds the handler of an object command by the object's namespace and the verb. */
export class CommandDispatcher {
  private readonly handlers: Readonly<Record<string, Handlers>>;
  private readonly offered: readonly string[] | undefined;
  private readonly release: (context: CommandContext, services: readonly string[]) => Handler | undefined;

  constructor(backend: RegistryBackend) {
    this.offered = backend.personality.objects;
    const queries = new DomainQueryCommands(backend);
    const references = new DomainContacts(backend);
    const commands = new DomainCommands(backend, new DomainUpdates(backend, references), references);
    const transfers = new DomainTransfers(backend);
    this.release = ({ request }, services) => {
      const release = services.includes(request.body.namespace) && backend.personality.releaseIn?.(request);
      return release ? (context) => transfers.release(context, release) : undefined;
    };
    const contacts = new ContactCommands(backend);
    const hosts = new HostCommands(backend);
    this.handlers = {
      [NAMESPACES.domain]: {
        check: (context) => queries.check(context),
        info: (context) => queries.info(context),
        create: (context) => commands.create(context),
        renew: (context) => commands.renew(context),
        update: (context) => commands.update(context),
        delete: (context) => commands.delete(context),
        'transfer:query': (context) => queries.transferState(context),
        'transfer:request': (context) => transfers.request(context),
        'transfer:approve': (context) => transfers.approve(context),
        'transfer:reject': (context) => transfers.reject(context),
        'transfer:cancel': (context) => transfers.cancel(context),
      },
      [NAMESPACES.contact]: {
        check: (context) => contacts.check(context),
        info: (context) => contacts.info(context),
        create: (context) => contacts.create(context),
        update: (context) => contacts.update(context),
        delete: (context) => contacts.delete(context),
      },
      ...(backend.hostsAre === 'objects' && {
        [NAMESPACES.host]: {
          check: (context) => hosts.check(context),
          info: (context) => hosts.info(context),
          create: (context) => hosts.create(context),
          update: (context) => hosts.update(context),
          delete: (context) => hosts.delete(context),
        },
      }),
    };
  }

  get objects(): readonly string[] {
    return Object.keys(this.handlers).filter((namespace) => this.offered?.includes(namespace) ?? true);
  }

  /** @throws EppError for an unknown command, or an object or extension that is not among the login's services */
  handlerFor(context: CommandContext, services: readonly string[]): Handler {
    const { verb, element, body, extensions } = context.request;
    const release = this.release(context, services);
    if (release) return release;
    const handlers = this.handlers[body.namespace];
    if (!handlers || !services.includes(body.namespace)) throw new EppError(2307);
    if (body.name !== verb) throw new EppError(2001, `${verb} requires <${verb}>, not <${body.name.slice(0, 64)}>`);
    for (const { namespace } of extensions)
      if (!services.includes(namespace))
        throw new EppError(2103, `${namespace.slice(0, 64)} is not among the services of the login`);
    const handler = handlers[verb === 'transfer' ? `transfer:${element.attributes.get('op') ?? ''}` : verb];
    if (!handler) throw new EppError(2101);
    return handler;
  }

  transforms(verb: Verb): boolean {
    return TRANSFORMS.includes(verb);
  }
}
