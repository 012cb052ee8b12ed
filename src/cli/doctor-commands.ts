import type { Finding } from '../infrastructure/registry/doctor/registry-doctor';
import { table, type CommandSpec } from './command-spec';

export interface DoctorServices {
  readonly doctor: {
    /** Read-only checks of a registry. @throws ValidationError for an unknown one */
    diagnose(registry: string): Promise<readonly Finding[]>;
    /** Runs the contract tests against the vendor's sandbox. @throws ValidationError unless it is one */
    testSandbox(registry: string): Promise<void>;
  };
}

export const DOCTOR_USAGE = `  registry doctor NAME [--live-sandbox]
                                        checks a registry of REGISTRIES_FILE with your credentials and changes nothing:
                                        TLS, authentication, balance, clock, list, availability, price;
                                        --live-sandbox: also runs the contract tests against the vendor's sandbox,
                                        which registers names there (needs a checkout with development dependencies)`;

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
};
