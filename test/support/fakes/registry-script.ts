import { RegistryRejected, RegistryUnavailable } from '../../../src/application/ports/registry/registry-errors';
import type { RejectionReason } from '../../../src/application/ports/registry/registry-port';
import type { RegistryAdapter } from '../../../src/infrastructure/registry/registry-adapter';

export type RegistryCommand = Exclude<keyof RegistryAdapter, 'policies'>;

/** How the registry meets one call. */
export interface Turn {
  isRefused(reason: RejectionReason, details?: string): void;
  /** Nothing happens there, and no answer comes. */
  isUnreachable(): void;
  /** It happens there, and no answer comes. */
  losesItsAnswer(): void;
  /** A bug of the adapter. */
  failsWith(error: Error): void;
  /** Something else happens there, and then it is refused. */
  isRefusedAfter(effect: () => void): void;
  /** It happens there at once; the answer comes when it is released. */
  answersLate(): { release(): void };
}

type Meeting = <T>(effect: () => T) => T | Promise<T>;

/** How single calls of a registry are met; every other call does what it does. */
export class RegistryScript {
  private readonly meetings = new Map<RegistryCommand, Meeting[]>();

  /** Of the next call of `command`; told more than once, the calls are met in that order. */
  next(command: RegistryCommand): Turn {
    const isMet = (meeting: Meeting) =>
      void this.meetings.set(command, [...(this.meetings.get(command) ?? []), meeting]);
    return {
      isRefused: (reason, details = 'The registry said no') =>
        isMet(() => {
          throw new RegistryRejected(reason, details);
        }),
      isUnreachable: () =>
        isMet(() => {
          throw new RegistryUnavailable();
        }),
      losesItsAnswer: () =>
        isMet((effect) => {
          effect();
          throw new RegistryUnavailable();
        }),
      failsWith: (error) =>
        isMet(() => {
          throw error;
        }),
      isRefusedAfter: (effect) =>
        isMet(() => {
          effect();
          throw new RegistryRejected('policy', 'The registry said no');
        }),
      answersLate: () => {
        const gate: { open?: () => void } = {};
        const released = new Promise<void>((resolve) => {
          gate.open = resolve;
        });
        isMet((effect) => {
          const answer = effect();
          return released.then(() => answer);
        });
        return { release: () => gate.open?.() };
      },
    };
  }

  meet<T>(command: RegistryCommand, effect: () => T): T | Promise<T> {
    const meeting = this.meetings.get(command)?.shift();
    return meeting ? meeting(effect) : effect();
  }
}
