module.exports = () => globalThis.stopSharedMysql();
