import type { MysqlTls } from '../../../config/database-values';

export interface MysqlLocation {
  readonly url: string;
  readonly tls?: MysqlTls;
}

export type DatabaseLocation =
  { readonly kind: 'sqlite'; readonly file: string } | ({ readonly kind: 'mysql' } & MysqlLocation);
