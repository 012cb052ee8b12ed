// Starts one MariaDB for all test files that change nothing but their own databases; the others start theirs.
const { startPrivateMysql } = require('../test/support/databases/mariadb');

/** Four test files at a time, each with some services that have a pool of 10 connections. */
const OPTIONS = ['--max-connections=1000', '--innodb-buffer-pool-size=256M'];

module.exports = async () => {
  const server = await startPrivateMysql(OPTIONS);
  process.env.MYSQL_TEST_URL = server.url;
  globalThis.stopSharedMysql = () => server.stop();
};
