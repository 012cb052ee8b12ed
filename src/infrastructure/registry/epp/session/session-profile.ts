import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, tokenOf } from '../codec/xml-element';
import type { EppCommand } from '../mapping/commands/command';
import type { Services } from '../mapping/greeting';
import type { SessionProfile } from './epp-session';
import type { CommandFacts, Frame, RegistryProfile } from '../profiles/profile';

/**
 * What the profile adds to a session. Extensions that the login does not have are left out of queries, which are then plain.
 * @throws RegistryRejected before a transform command is sent without one of them, or if `complete` fails, and before a contact is
 * created that the registry would refuse
 */
export function sessionProfileOf(profile: RegistryProfile): SessionProfile {
  const { objects, extensions, complete, registrantIssues, options } = profile;
  return {
    objects,
    extensions,
    complete: (command, services) => {
      const [issue] = (command.registrant && registrantIssues?.(command.registrant, options)) ?? [];
      if (issue) throw new RegistryRejected('policy', `${issue.path} of the registrant ${issue.message}`);
      if (!complete) return command;
      const frame = completedFrame(complete, command, factsOf(command, services, profile));
      const isKnown = (namespace: string) => !extensions.includes(namespace) || services.extensions.includes(namespace);
      const missing = [...frame.body.children, ...frame.extensions].find(
        ({ namespace }) => !isKnown(namespace),
      )?.namespace;
      if (command.transforms && missing !== undefined)
        throw new RegistryRejected(
          'unsupported',
          `The registry does not offer ${missing}, which ${command.title} needs`,
        );
      return { ...command, ...frame, extensions: frame.extensions.filter(({ namespace }) => isKnown(namespace)) };
    },
  };
}

/** Only a rejection says that nothing was sent. */
function completedFrame(
  complete: NonNullable<RegistryProfile['complete']>,
  command: EppCommand,
  facts: CommandFacts,
): Frame {
  try {
    return complete(command, facts);
  } catch (error) {
    if (error instanceof RegistryRejected) throw error;
    throw new RegistryRejected('policy', `The profile of the registry cannot complete ${command.title}`, {
      cause: error,
    });
  }
}

function factsOf(command: EppCommand, services: Services, { options }: RegistryProfile): CommandFacts {
  const name = nameOf(command);
  return {
    title: command.title,
    tld: command.tld ?? name?.slice(name.indexOf('.') + 1),
    name,
    registrant: command.registrant,
    contacts: command.contacts,
    idnLanguage: command.idnLanguage,
    expiresAt: command.expiresAt,
    services: [...services.objects, ...services.extensions],
    options,
  };
}

/** The first name in a command on domains. */
function nameOf({ body }: EppCommand): string | undefined {
  return tokenOf(
    childOf(
      body.children.find(({ namespace }) => namespace === NAMESPACES.domain),
      NAMESPACES.domain,
      'name',
    ),
  );
}
