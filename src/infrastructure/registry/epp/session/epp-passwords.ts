import { isTransportFailure, LoginRefused } from './epp-session';
import { RegistryRejected, RegistryUnavailable } from '../../../../application/ports/registry/registry-errors';

/** The password of the login or, during a change, the new password and then the current one. */
export type EppPasswordPair = readonly [string, string?];

/** `already_changed`: the registry accepted the new password before the command changed anything. */
type PasswordChange = 'changed' | 'already_changed';

/** A wrong password counts towards the lock of the account, so a change is not repeated often. */
const CHANGE_ATTEMPTS = 2;

/** One non-empty line per password; undefined for none or more than two. */
export function passwordsOf(secret: string): EppPasswordPair | undefined {
  const [first, second, ...rest] = secret.split(/\r?\n/).filter((line) => line !== '');
  if (first === undefined || rest.length > 0) return undefined;
  return second === undefined ? [first] : [first, second];
}

/** Logs in with the password that the registry has. A secret that changes while the process runs is used at the next login. */
export class EppPasswords {
  private accepted: string | undefined;
  private tried = '';

  /** `read` returns undefined if the secret cannot be read: then the last passwords stay in use. */
  constructor(
    private passwords: EppPasswordPair,
    private readonly read: () => EppPasswordPair | undefined,
  ) {}

  /** Tries the password that was accepted last, then the new one, then the current one. @throws as `open`, for the last password */
  async logIn<T>(open: (password: string) => Promise<T>): Promise<T> {
    const known = this.refresh();
    this.tried = known.join('\n');
    const candidates = known.toSorted((a, b) => Number(b === this.accepted) - Number(a === this.accepted));
    let refusal: unknown;
    for (const password of candidates) {
      try {
        const opened = await open(password);
        this.accepted = password;
        return opened;
      } catch (error) {
        if (!isRefused(error)) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }

  /** Whether the secret differs from what the last login tried. */
  get haveChanged(): boolean {
    return this.refresh().join('\n') !== this.tried;
  }

  /**
   * Sets the new password at the registry (RFC 5730 `newPW`). Repeating it is harmless: whether the new password applies is
   * found out by a login with it, also after a lost response.
   * @throws RegistryRejected (nothing changed), RegistryUnavailable (unknown: repeat it)
   */
  async change(logIn: (password: string, newPassword?: string) => Promise<void>): Promise<PasswordChange> {
    const [next, current] = this.refresh();
    if (next === undefined || current === undefined)
      throw new RegistryRejected(
        'policy',
        'There is no new password: put it above the current one, on a separate line',
      );
    let isOutcomeUnknown = false;
    try {
      if (await isAccepted(logIn(next))) return 'already_changed';
      for (let attempt = 0; attempt < CHANGE_ATTEMPTS; attempt += 1) {
        await logIn(current, next).catch((error: unknown) => {
          // After a lost response, the registry may set the new password between two logins.
          if (!isTransportFailure(error) && !(isOutcomeUnknown && isRefused(error))) throw error;
          isOutcomeUnknown = true;
        });
        if (await isAccepted(logIn(next))) return 'changed';
      }
    } catch (error) {
      throw changeError(error);
    }
    throw new RegistryUnavailable('The registry does not accept the new password. Keep both, and repeat the command');
  }

  private refresh(): readonly string[] {
    this.passwords = this.read() ?? this.passwords;
    return this.passwords.filter((password) => password !== undefined);
  }
}

async function isAccepted(login: Promise<void>): Promise<boolean> {
  try {
    await login;
    return true;
  } catch (error) {
    if (isRefused(error) && error.resultCode !== undefined) return false;
    throw error;
  }
}

function changeError(error: unknown): unknown {
  if (isRefused(error)) return new RegistryRejected('policy', `The password was not changed: ${error.message}`);
  if (error instanceof LoginRefused || isTransportFailure(error))
    return new RegistryUnavailable(`${error.message}. Keep both passwords, and repeat the command`);
  return error;
}

function isRefused(error: unknown): error is LoginRefused {
  return error instanceof LoginRefused && error.refusal === 'permanent';
}
