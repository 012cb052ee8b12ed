import type { KeyAction } from '../key-limits';
import type { ProposedWrite } from './proposal';

type Needed = KeyAction | 'owner';

/** By method and path below the API's root; the first that matches decides. */
const NEEDED: readonly (readonly [write: RegExp, action: Needed])[] = [
  [/^PUT \/approval-rules$/, 'owner'],
  [/\/(dns|connected-services)\/|\/domain-connect$|\/state$| \/record-templates/, 'write'],
  [/^POST \/domains\/[^/]+\/(renew|restore)$/, 'renew'],
  [/^POST \/domains\/[^/]+\/(auth-code|release|transfer-out\/.*)$|^POST \/(transfers|moves)(\/|$)/, 'transfer'],
  [/^(POST|DELETE) \/(domains|zones)(\/[^/]+)?$|^POST \/zones\/[^/]+\/verify$/, 'register'],
];

/** What a person's role needs for a write of the API, and so for its acceptance. */
export function actionOfWrite({ method, path }: Pick<ProposedWrite, 'method' | 'path'>): Needed {
  const [pathname = ''] = path.split('?');
  const write = `${method} ${pathname.replace(/^\/api/, '')}`;
  return NEEDED.find(([pattern]) => pattern.test(write))?.[1] ?? 'settings';
}
