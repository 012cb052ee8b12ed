/** What the form of a path does, with what it is for in place of `…`. The first that matches counts. */
const STEPS: readonly (readonly [path: string, step: string])[] = [
  ['/domains/[^/]+/transfer-lock', 'turn off the transfer lock of …'],
  ['/domains/[^/]+/auth-code', 'issue an auth code for …'],
  ['/domains/[^/]+/release', 'release … to another registrar'],
  ['/domains/[^/]+/delete', 'delete …'],
  ['/domains/[^/]+/transfer-out/approve', 'approve the transfer of … to another registrar'],
  ['/domains/[^/]+/renew', 'renew …'],
  ['/domains/[^/]+/restore', 'restore …'],
  ['/api-keys', 'create a key'],
  ['/api-keys/[^/]+/rotate', 'rotate an API key'],
  ['/team', 'invite a user'],
  ['/team/[^/]+/link', 'issue a set-up link'],
  ['/team/[^/]+/role', 'change the role of a user'],
  ['/team/[^/]+/remove', 'remove a user'],
  ['/register', 'register a domain'],
];

/** Undefined for a form that is not known. @param name of the domain that the form is for */
export function describeStep(path: string, name: string | undefined): string | undefined {
  const [, step] = STEPS.find(([pattern]) => new RegExp(`^${pattern}$`).test(path)) ?? [];
  return step?.replace('…', name ?? 'the domain');
}

export function readDomainIdOf(path: string): string | undefined {
  return /^\/domains\/([^/]+)\//.exec(path)?.[1];
}
