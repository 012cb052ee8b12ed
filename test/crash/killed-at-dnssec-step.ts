import { join } from 'node:path';
import { startProcess, type ServiceProcess } from '../support/service/service-process';

/** The commits of switching DNSSEC on, of a key rollover, and of switching it off, in order. */
export const DNSSEC_STEPS = {
  on: ['sign', 'publish', 'wait_for_signed', 'add_ds', 'DS', 'add_ds confirmed'],
  rollover: [
    'add_key',
    'publish_key',
    'wait_for_key',
    'add_second_ds',
    'DS',
    'add_second_ds confirmed',
    'replace_ds',
    'DS',
    'replace_ds confirmed',
    'wait_for_new_ds',
    'retire_key',
  ],
  off: ['remove_ds', 'DS', 'remove_ds confirmed', 'wait_without_ds', 'unsign', 'publish_unsigned'],
} as const;

export type KillMoment = 'before' | 'after';

/** Starts the built service, which kills itself before or after a step commits; never if `killAt` is absent. */
export function startToKill(
  settings: Record<string, string>,
  stepsFile: string,
  killAt?: `${string} ${KillMoment}`,
): ServiceProcess {
  const preload = join('test', 'crash', 'child', 'kill-at-dnssec-step.cjs');
  const environment = { ...settings, STEPS_FILE: stepsFile, ...(killAt && { KILL_AT: killAt }) };
  return startProcess(environment, [process.execPath, '--require', `./${preload}`, 'dist/main.js']);
}
