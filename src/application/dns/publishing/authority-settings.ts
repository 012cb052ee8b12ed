import type { SoaSettings } from '../../../domain/dns/start-of-authority';

export type AuthoritySettings = SoaSettings;
export const AuthoritySettings = Symbol('AuthoritySettings');
