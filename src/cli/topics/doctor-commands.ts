import type { DoctorFinding } from '../../infrastructure/registry/doctor/finding';
import { table, type CommandSpec } from '../command-spec';

export interface DoctorServices {
  readonly doctor: {
    /** Read-only checks of a registry. @throws ValidationError for an unknown one */
    diagnose(registry: string): Promise<readonly DoctorFinding[]>;
    /** Runs the contract tests against the vendor's sandbox. @throws ValidationError unless it is one */
    testSandbox(registry: string): Promise<void>;
    /** Sets the new password of the secret file at a registry. @throws ValidationError, RegistryRejected, RegistryUnavailable */
    changePassword(registry: string): Promise<'changed' | 'already_changed'>;
  };
}

export const DOCTOR_USAGE = `  registry doctor NAME [--live-sandbox]
                                        checks a registry of REGISTRIES_FILE with your credentials and changes nothing:
                                        TLS, authentication, balance, clock, list, availability, price;
                                        EPP: host, TCP, TLS, greeting, clock, login, and a check of one name;
                                        --live-sandbox: also runs the contract tests against the vendor's sandbox,
                                        which registers names there (needs a checkout with development dependencies)
  registry password NAME                sets a new password at an EPP registry: put it above the current one into the file
                                        of the setting password first; harmless to repeat`;

export const DOCTOR_COMMANDS: Readonly<Record<string, CommandSpec<DoctorServices>>> = {
  'registry doctor': {
    required: [],
    optional: ['live-sandbox'],
    operands: ['NAME'],
    prepare: ({ 'live-sandbox': isLive = false }, registry = '') => {
      return async ({ doctor }) => {
        const findings = await doctor.diagnose(registry);
        if (isLive) await doctor.testSandbox(registry);
        const rows = findings.map(({ outcome, check, detail, fix }) => [
          outcome,
          check,
          fix === undefined ? detail : `${detail}; to fix it: ${fix}`,
        ]);
        return { json: findings, text: table(rows) };
      };
    },
  },
  'registry password': {
    required: [],
    optional: [],
    operands: ['NAME'],
    prepare:
      (_options, registry = '') =>
      async ({ doctor }) => {
        const outcome = await doctor.changePassword(registry);
        const before = outcome === 'changed' ? 'has' : 'already had';
        return {
          json: { registry, outcome },
          text: `${registry} ${before} the new password. Remove the line of the former one from the file`,
        };
      },
  },
};
