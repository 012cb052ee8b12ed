import { readFileSync } from 'node:fs';
import type { SslOptions } from 'mysql2';
import type { MysqlTls } from '../../../../config/database-values';

/** As mysql2 takes them. @throws if a file cannot be read, naming it */
export function sslOptions({ mode, ca, cert, key }: MysqlTls): SslOptions {
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: mode !== 'REQUIRED',
    verifyIdentity: mode === 'VERIFY_IDENTITY',
    ...(ca !== undefined && { ca: readPem('ssl-ca', ca) }),
    ...(cert !== undefined && { cert: readPem('ssl-cert', cert) }),
    ...(key !== undefined && { key: readPem('ssl-key', key) }),
  };
}

function readPem(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${parameter} of DATABASE_URL names the file ${file}, which cannot be read`, { cause: error });
  }
}
