import { RegistryRejected, RegistryUnavailable } from '../../../src/application/ports/registry/registry-errors';
import type { RejectionReason } from '../../../src/application/ports/registry/registry-port';
import type { RegistryAdapter } from '../../../src/infrastructure/registry/registry-adapter';

export type RegistryCommand = Exclude<keyof RegistryAdapter, 'policies'>;

/** The outcome of one call. */
export interface Turn {
  isRefused(reason: RejectionReason, details?: string): void;
  /** Neither executes nor responds. */
  isUnreachable(): void;
  /** Executes and does not respond. */
  losesItsResponse(): void;
  /** Throws any error, like a bug of an adapter. */
  failsWith(error: Error): void;
  /** Runs `effect`, then rejects. */
  isRefusedAfter(effect: () => void): void;
  /** Executes at once, and responds after `release()`. */
  respondsLate(): { release(): void };
}

type Meeting = <T>(effect: () => T) => T | Promise<T>;

/** Scripted outcomes of single calls. Other calls execute normally. */
export class RegistryScript {
  private readonly meetings = new Map<RegistryCommand, Meeting[]>();

  /** Scripts the next call of `command`. Several scripts apply in order. */
  next(command: RegistryCommand): Turn {
    const isMet = (meeting: Meeting) =>
      void this.meetings.set(command, [...(this.meetings.get(command) ?? []), meeting]);
    return {
      isRefused: (reason, details = 'The registry rejected it') =>
        isMet(() => {
          throw new RegistryRejected(reason, details);
        }),
      isUnreachable: () =>
        isMet(() => {
          throw new RegistryUnavailable();
        }),
      losesItsResponse: () =>
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
          throw new RegistryRejected('policy', 'The registry rejected it');
        }),
      respondsLate: () => {
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
