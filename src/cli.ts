import 'reflect-metadata';
import { ChangeAccountSettings } from './application/access/change-account-settings';
import { CreateAccount } from './application/access/create-account';
import { EventsRemoved, ReadEvents } from './application/events/read-events';
import { CountGrantedDomains } from './application/portfolio/count-granted-domains';
import { InviteUser } from './application/access/users/invite-user';
import { IssueSetupLink } from './application/access/users/issue-setup-link';
import { IssueApiKey } from './application/access/api-keys/issue-api-key';
import { ChangeRole } from './application/access/users/change-role';
import { RevokeSetupLink } from './application/access/users/revoke-setup-link';
import { RemoveFactors } from './application/access/second-factor/remove-factors';
import { ReadTeam } from './application/access/users/read-team';
import { RemoveUser } from './application/access/users/remove-user';
import { FindCreatedKeys } from './application/access/api-keys/find-created-keys';
import { RevokeApiKey } from './application/access/api-keys/revoke-api-key';
import { UserReader } from './application/ports/access/users';
import { SyncTemplates } from './application/dns/domain-connect/catalog/sync-templates';
import { TryTemplate } from './application/dns/domain-connect/try-template';
import { ConnectTemplateReader } from './application/ports/dns/templates-and-domain-connect';
import { AddSecondary } from './application/dns/publishing/add-secondary';
import { CreateTsigKey } from './application/dns/publishing/create-tsig-key';
import { RaiseVersions } from './application/dns/publishing/raise-versions';
import { AccountReader, ApiKeyReader } from './application/ports/access/accounts-and-api-keys';
import { FindImport } from './application/registrar/imports/find-import';
import { ImportRunner } from './application/registrar/imports/import-runner';
import { PlanImport } from './application/registrar/imports/plan-import';
import { ReconcileRegistries } from './application/registrar/reconciliation/reconcile-registries';
import { StartImport } from './application/registrar/imports/start-import';
import { SettleOperation } from './application/operations/settlement/settle-operation';
import { OperationQueries } from './application/ports/registration/operations-and-transfers';
import { Clock, SecretBox } from './application/ports/system';
import { RecheckSigning } from './application/dnssec/recheck-signing';
import { ZoneSigningReader } from './application/ports/dns/signing-repository';
import { RegistryRejected, RegistryUnavailable } from './application/ports/registry/registry-errors';
import { DeadLetterReader } from './application/ports/registry/registries';
import { SecondaryDirectory } from './application/ports/dns/publishing';
import { parseCommand, parseOfflineCommand, USAGE, type CommandServices } from './cli/commands';
import { UsageError } from './cli/usage-error';
import { ConfigurationError, type Config } from './config';
import { checkedConfig } from './container/checked-config';
import { createContainer, type RunningContainer } from './container/container';
import { restoreBackup } from './container/restore-backup';
import { ValidationError } from './domain/shared/validation-error';
import { explain } from './explain';
import { createBackup, verifyBackup } from './infrastructure/backup/create-backup';
import { lockDatabase } from './infrastructure/persistence/database/mysql/lock-database';
import { rotateSecretKey } from './infrastructure/persistence/sealing/rotate-secret-key';
import { AesSecretBox } from './infrastructure/system/aes-secret-box';
import { readNewSecretKey } from './infrastructure/system/secret-key';
import { localUrl, readServiceUrl } from './infrastructure/system/service-address';
import { RegistryCheck } from './infrastructure/registry/doctor/registry-check';
import { importSqlite } from './infrastructure/persistence/database/sqlite/import-sqlite';
import { registryFileFor } from './infrastructure/registry/sandbox/simulated/store/registry-file';

const BAD_INPUT = 2;
const FAILED = 1;

async function main(argv: readonly string[]): Promise<void> {
  const offline = parseOfflineCommand(argv);
  if (offline)
    return print(
      await offline({ createBackup, verifyBackup, restoreBackup, showProgress }, await checkedConfig(process.env)),
    );
  const command = parseCommand(argv);
  if (command.kind === 'help') return print(USAGE);
  // Standard output is for results only; errors go to standard error.
  const config = await checkedConfig(process.env);
  const { close, ...running } = await createContainer(
    { ...config, logLevel: 'silent' },
    { replaceLostKey: command.replaceLostKey },
  );
  try {
    print(await command.run(servicesOf(running, config)));
  } finally {
    await close();
  }
}

function showProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

function servicesOf(
  { container, database, migrated }: Omit<RunningContainer, 'close'>,
  config: Config,
): CommandServices {
  const { database: location, dns, publicUrl, host, port } = config;
  const serviceUrl = publicUrl ?? readServiceUrl(location) ?? localUrl(host, port);
  const check = new RegistryCheck(config, process.env, container.get(Clock));
  return {
    accounts: container.get(AccountReader),
    apiKeys: container.get(ApiKeyReader),
    createAccount: container.get(CreateAccount),
    changeAccountSettings: container.get(ChangeAccountSettings),
    issueApiKey: container.get(IssueApiKey),
    findCreatedKeys: container.get(FindCreatedKeys),
    revokeApiKey: container.get(RevokeApiKey),
    currency: config.currency,
    programs: { url: serviceUrl, apis: config.compatibilityApis },
    dns: {
      directory: container.get(SecondaryDirectory),
      createTsigKey: container.get(CreateTsigKey),
      addSecondary: container.get(AddSecondary),
      raiseVersions: container.get(RaiseVersions),
      clock: container.get(Clock),
      catalogZone: dns.catalogZone,
      primary: dns.listen.kind === 'on' ? dns.listen.endpoint : undefined,
    },
    inviteUser: container.get(InviteUser),
    issueSetupLink: container.get(IssueSetupLink),
    revokeSetupLink: container.get(RevokeSetupLink),
    changeRole: container.get(ChangeRole),
    removeFactors: container.get(RemoveFactors),
    removeUser: container.get(RemoveUser),
    countGrantedDomains: container.get(CountGrantedDomains),
    showWarning: showProgress,
    users: container.get(UserReader),
    readTeam: container.get(ReadTeam),
    dnssec: {
      signings: container.get(ZoneSigningReader),
      recheck: container.get(RecheckSigning),
    },
    connect: {
      templates: container.get(ConnectTemplateReader),
      sync: container.get(SyncTemplates),
      tryTemplate: container.get(TryTemplate),
    },
    deadLetters: container.get(DeadLetterReader),
    readEvents: container.get(ReadEvents),
    registrar: {
      startImport: container.get(StartImport),
      findImport: container.get(FindImport),
      planImport: container.get(PlanImport),
      importRunner: container.get(ImportRunner),
      reconcile: container.get(ReconcileRegistries),
      showProgress,
    },
    operations: {
      queries: container.get<OperationQueries>(OperationQueries),
      settle: container.get(SettleOperation),
    },
    doctor: {
      diagnose: async (registry) => {
        const findings = await check.diagnose(registry);
        if (findings.some(({ outcome }) => outcome === 'failed')) process.exitCode = FAILED;
        return findings;
      },
      testSandbox: async (registry) => {
        if (!(await check.testSandbox(registry))) process.exitCode = FAILED;
      },
      changePassword: async (registry) => check.changePassword(registry),
    },
    migrated,
    importSqlite: async (file) => {
      if (location.kind === 'sqlite')
        throw ValidationError.of('DATABASE_URL', 'must be a MySQL database; to move a SQLite database, copy its file');
      return importSqlite(file, registryFileFor(file), database);
    },
    rotateSecretKey: async (file) => {
      const next = new AesSecretBox(readNewSecretKey(file));
      const unlock = lockDatabase(location);
      try {
        return await rotateSecretKey(container.get(SecretBox), next, database);
      } finally {
        unlock();
      }
    },
    dashboardUrl: serviceUrl,
  };
}

function print(text: string): void {
  if (text !== '') process.stdout.write(`${text}\n`);
}

function report(error: unknown): void {
  process.exitCode =
    error instanceof UsageError || error instanceof ValidationError || error instanceof ConfigurationError
      ? BAD_INPUT
      : FAILED;
  process.stderr.write(`${errorText(error)}\n`);
}

function errorText(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\nSee: npm run --silent admin -- --help`;
  if (error instanceof ValidationError || error instanceof EventsRemoved) return error.details ?? error.message;
  if (error instanceof RegistryRejected || error instanceof RegistryUnavailable) return error.details ?? error.message;
  return explain(error);
}

main(process.argv.slice(2)).catch(report);
