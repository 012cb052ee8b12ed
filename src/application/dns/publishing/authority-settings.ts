import type { SharedAuthority } from '../../../domain/dns/start-of-authority';

export type AuthoritySettings = SharedAuthority;
export const AuthoritySettings = Symbol('AuthoritySettings');
