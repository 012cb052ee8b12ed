import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import { commandDocument, type EppCommand } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import { createDomain } from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import type { RegistryProfile } from '../../../src/infrastructure/registry/epp/profiles/profile';
import { sessionProfileOf } from '../../../src/infrastructure/registry/epp/session/session-profile';

/** What the profile makes of a command at a registry that offers all its extensions. */
export function completed(profile: RegistryProfile, command: EppCommand): string {
  const { domain, host, contact, secDNS, rgp } = NAMESPACES;
  const services = {
    objects: [domain, host, contact, ...profile.objects],
    extensions: [secDNS, rgp, ...profile.extensions],
    language: 'en',
  };
  return commandDocument(sessionProfileOf(profile).complete(command, services), 'op-1');
}

/** A `<create>` without contacts. */
export const creation = (name: string, idnLanguage?: string, hostMode: RegistryProfile['hosts'] = 'object') =>
  createDomain({
    name,
    idnLanguage,
    years: 1,
    hosts: [{ host: 'ns1.example.net', addresses: [] }],
    hostMode,
    contacts: [],
    authCode: 'secret-1',
  });
