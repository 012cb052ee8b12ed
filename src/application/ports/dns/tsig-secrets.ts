export interface TsigSecrets {
  /** 32 bytes that nobody can guess. */
  next(): Buffer;
}
export const TsigSecrets = Symbol('TsigSecrets');
