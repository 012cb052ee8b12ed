import { resolve } from 'node:path';
import type { Clock } from '../../../application/ports/system';
import { ConfigurationError } from '../../../config';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { RegistryContext } from '../registry-adapter';
import { prepareRegistries, type PreparedRegistry, type RegistriesConfig } from '../routing/prepare-registries';
import type { DoctorFinding } from './finding';
import { diagnoseRegistry } from './registry-doctor';
import { runLiveContract } from './run-live-contract';

const NO_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Checks a configured registry for an operator, outside the running service. */
export class RegistryCheck {
  constructor(
    private readonly config: RegistriesConfig,
    private readonly env: NodeJS.ProcessEnv,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationError for an unknown registry, ConfigurationError for invalid settings */
  async diagnose(name: string): Promise<readonly DoctorFinding[]> {
    return diagnoseRegistry(await this.prepared(name), this.context());
  }

  /** Registers names at the vendor's sandbox. Returns whether the contract tests passed. @throws ValidationError unless it is a sandbox */
  async testSandbox(name: string): Promise<boolean> {
    const { factory, settings, tlds } = await this.prepared(name);
    const running = await factory({ name, settings, tlds, ...this.context() });
    const [policy] = running.port.policies();
    const isSandbox = running.diagnostics?.isSandbox === true;
    await running.close();
    if (!isSandbox || !policy)
      throw ValidationError.of('live-sandbox', `needs a registry with the setting sandbox: true, which ${name} is not`);
    const contract = { registry: name, tld: policy.suffix, unsupported: policy.unsupported ?? [] };
    return runLiveContract(contract, resolve(__dirname, '../../../..'));
  }

  /** @throws ValidationError unless the registry has a password to change, RegistryRejected, RegistryUnavailable */
  async changePassword(name: string): Promise<'changed' | 'already_changed'> {
    const { factory, settings, tlds, folder, readSecret } = await this.prepared(name);
    const running = await factory({ name, settings, tlds, folder, readSecret, ...this.context() });
    try {
      if (!running.changePassword)
        throw ValidationError.of('NAME', 'must be a registry with a password: see the documentation of its adapter');
      if (readSecret?.('password') === undefined)
        throw ValidationError.of(
          `registries.${name}.settings.password`,
          'must be a { file: PATH }: running processes do not see a change of an environment variable',
        );
      return await running.changePassword();
    } finally {
      await running.close();
    }
  }

  private async prepared(name: string): Promise<PreparedRegistry> {
    const { registries, issues } = await prepareRegistries(this.config, this.env);
    const registry = registries.find((each) => each.name === name);
    if (registry) return registry;
    if (issues.length > 0) throw new ConfigurationError(issues);
    const names = registries.map((each) => each.name).join(', ');
    throw ValidationError.of('NAME', `must be a registry that is configured: ${names}`);
  }

  private context(): Pick<RegistryContext, 'clock' | 'log' | 'currency' | 'mainDatabase'> {
    const { currency, database: mainDatabase } = this.config;
    return { clock: this.clock, log: NO_LOG, currency, mainDatabase };
  }
}
