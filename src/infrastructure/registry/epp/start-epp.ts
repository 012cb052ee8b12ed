import { X509Certificate } from 'node:crypto';
import type { Clock } from '../../../application/ports/system';
import type { Registrant } from '../../../domain/registration/registrant';
import type { RegistryContext, RunningRegistry } from '../registry-adapter';
import { policyOf } from '../tld-rules';
import { EppClient } from './session/epp-client';
import { EppRegistry } from './epp-registry';
import { EppPasswords, passwordsOf } from './session/epp-passwords';
import { EppSession } from './session/epp-session';
import { openAtFirst } from './session/open-at-first';
import { EppSessionPool } from './session/epp-session-pool';
import { idnLanguagesIn } from './profiles/idn';
import { diagnoseEpp } from './diagnose-epp';
import { loadEppSettings } from './epp-settings';

/** The factory of the EPP adapter. Connects on the first command. @throws SettingsRejected */
export async function startEpp(context: RegistryContext): Promise<RunningRegistry> {
  const { session, furtherHosts, pool, ...rest } = await loadEppSettings(context);
  const { log, clock, currency, readSecret } = context;
  const passwords = new EppPasswords(session.passwords, () => passwordsOf(readSecret?.('password') ?? ''));
  let serverCertificateUntil: Date | undefined;
  let passwordUntil: Date | undefined;
  const openWith = async (password: string, newPassword?: string) =>
    openAtFirst(
      [session.endpoint.host, ...furtherHosts],
      (host) =>
        EppSession.open(
          {
            ...session,
            endpoint: { ...session.endpoint, host },
            credentials: { clientId: session.clientId, password, newPassword },
          },
          log,
        ),
      { registry: session.registry, log },
    );
  const open = async () => {
    const opened = await passwords.logIn(openWith);
    serverCertificateUntil = opened.certificateUntil;
    passwordUntil = opened.passwordUntil;
    return opened;
  };
  const sessionPool = new EppSessionPool(open, pool, log, () => passwords.haveChanged);
  const client = new EppClient(sessionPool);
  const clientCertificateUntil = endOf(session.endpoint.certificate);
  const { deleteUnrenewedDays } = rest.profile;
  const idnLanguages = idnLanguagesIn(rest.profile.options);
  const { registrantIssues, options } = rest.profile;
  const tlds = context.tlds.map((rules) => ({
    ...policyOf({ ...rest.profile.rules, ...rules, periods: { ...rest.profile.rules.periods, ...rules.periods } }),
    unsupported: rest.unsupported,
    // RFC 5730 section 2: each command is atomic, and the commands after it see its effect.
    readLagSeconds: rules.readLagSeconds ?? 0,
    ...(rest.profile.hosts !== 'none' && {
      glue: rest.profile.hosts === 'object' ? ('any' as const) : ('own' as const),
    }),
    ...(rest.profile.release && { releases: true }),
    ...(rest.profile.transfers.authCode === 'omitted' && { transfersWithoutCode: true }),
    ...(rules.price && { price: rules.price }),
    ...(deleteUnrenewedDays !== undefined && { deleteUnrenewedDays }),
    ...(idnLanguages && { idnLanguages }),
    ...(registrantIssues && { registrantIssues: (registrant: Registrant) => registrantIssues(registrant, options) }),
  }));
  const port = new EppRegistry(
    client,
    {
      ...rest,
      clientId: session.clientId,
      server: `${session.endpoint.host}:${session.endpoint.port}`,
      currency,
      tlds,
    },
    clock,
    log,
    context.stored,
  );
  const sessions = () => ({ ...sessionPool.size, serverCertificateUntil, clientCertificateUntil, passwordUntil });
  const changePassword = async () =>
    passwords.change(async (...login) => {
      const opened = await openWith(...login);
      await opened.close();
    });
  const shareAmong = (processes: number) => sessionPool.shareAmong(processes);
  const cleanUp = async () => port.deleteLeftContacts();
  const hosts = [session.endpoint.host, ...furtherHosts];
  const diagnoseConnection = async (at: Clock) => diagnoseEpp({ ...session, hosts, clientCertificateUntil }, open, at);
  const close = async () => client.close();
  return { port, sessions, shareAmong, changePassword, cleanUp, diagnoseConnection, close };
}

/** Until when a certificate is valid; undefined if it cannot be read, which the connection will report. */
function endOf(certificate: string | undefined): Date | undefined {
  try {
    return certificate === undefined ? undefined : new Date(new X509Certificate(certificate).validTo);
  } catch {
    return undefined;
  }
}
