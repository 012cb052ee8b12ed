const CLAIM = /^(?:iss|sub|aud|azp|exp|nbf|iat|jti|nonce|auth_time|acr|at_hash|c_hash|s_hash|sid|events)$/;

/** The name of the claim that an error of a library is about, for the log. Nothing else of its message, which can quote the token. */
export function claimOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { claim, message, cause } = error as Readonly<Record<'claim' | 'message' | 'cause', unknown>>;
  const quoted = typeof message === 'string' ? [...message.matchAll(/"(\w+)"/g)].map(([, name]) => name) : [];
  const found = [claim, ...quoted].find((each) => typeof each === 'string' && CLAIM.test(each));
  return typeof found === 'string' ? found : claimOf(cause);
}
