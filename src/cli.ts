import 'reflect-metadata';
import type { Container } from 'inversify';
import { CreateAccount } from './application/access/create-account';
import { IssueApiKey } from './application/access/issue-api-key';
import { RevokeApiKey } from './application/access/revoke-api-key';
import { AccountReader, ApiKeyReader } from './application/ports/access-repositories';
import { parseCommand, USAGE, UsageError, type CommandServices } from './cli/commands';
import { ConfigurationError, loadConfig } from './config';
import { createContainer } from './container/container';
import { ValidationError } from './domain/shared/validation-error';

const BAD_INPUT = 2;
const FAILED = 1;

async function main(argv: readonly string[]): Promise<void> {
  const command = parseCommand(argv);
  if (command.kind === 'help') return print(USAGE);
  // Standard output carries the answer and nothing else; what goes wrong is reported below.
  const { container, close } = await createContainer({ ...loadConfig(process.env), logLevel: 'silent' });
  try {
    print(await command.run(servicesOf(container)));
  } finally {
    await close();
  }
}

function servicesOf(container: Container): CommandServices {
  return {
    accounts: container.get<AccountReader>(AccountReader),
    apiKeys: container.get<ApiKeyReader>(ApiKeyReader),
    createAccount: container.get(CreateAccount),
    issueApiKey: container.get(IssueApiKey),
    revokeApiKey: container.get(RevokeApiKey),
  };
}

function print(text: string): void {
  if (text !== '') process.stdout.write(`${text}\n`);
}

function report(error: unknown): void {
  process.exitCode = error instanceof UsageError || error instanceof ValidationError || error instanceof ConfigurationError ? BAD_INPUT : FAILED;
  process.stderr.write(`${explain(error)}\n`);
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\nSee: npm run --silent admin -- --help`;
  if (error instanceof ValidationError) return error.details ?? error.message;
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

main(process.argv.slice(2)).catch(report);
