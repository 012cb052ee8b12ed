import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { Log } from '../../src/application/ports/system';
import { ApiAuthentication } from '../../src/http/api/api-authentication';
import { AllowedHosts } from '../../src/http/mcp/allowed-hosts';
import { McpAuthentication } from '../../src/http/mcp/mcp-authentication';
import { ApiCalls } from '../../src/http/mcp/api-calls';
import { McpEndpoint } from '../../src/http/mcp/mcp-endpoint';
import { McpRouter } from '../../src/http/mcp/mcp-router';
import { PlanIds } from '../../src/http/mcp/plan-ids';
import { TOOLS } from '../../src/http/mcp/tools';
import { createHttpServer } from '../../src/http/server/http-server';
import { describeOrSkip } from '../support/describe-or-skip';
import { CONFORMANCE_TOOLS } from '../support/mcp/conformance-tools';
import { keyAddingProxy } from '../support/mcp/key-adding-proxy';
import { startService, type TestService } from '../support/service/service';

/** A folder with the suite and the Node that it needs, which .ci/run installs. */
const { MCP_CONFORMANCE: folder } = process.env;
const NOT_APPLICABLE = join(__dirname, '../fixtures/mcp-not-applicable.yml');

describeOrSkip(folder === undefined ? 'MCP_CONFORMANCE is not set' : undefined)('the MCP conformance suite', () => {
  let service: TestService;
  let server: Server;
  let proxy: Awaited<ReturnType<typeof keyAddingProxy>>;
  const results = mkdtempSync(join(tmpdir(), 'namewright-mcp-'));

  beforeAll(async () => {
    service = await startService();
    const { container } = service;
    const log = container.get<Log>(Log);
    const tools = [...TOOLS, ...CONFORMANCE_TOOLS];
    const endpoint = new McpEndpoint(container.get(ApiCalls), container.get(PlanIds), tools, log);
    const router = new McpRouter(
      container.get(ApiAuthentication),
      container.get(AllowedHosts),
      container.get(McpAuthentication),
      endpoint,
      log,
    );
    server = createHttpServer(express().use(router.router));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    proxy = await keyAddingProxy(server, await service.key(await service.account()));
  });
  afterAll(async () => {
    proxy.close();
    server.closeAllConnections();
    server.close();
    rmSync(results, { recursive: true });
    await service.stop();
  });

  it.each(['2026-07-28', '2025-11-25'])('passes for revision %s, but for what does not apply', async (revision) => {
    const modules = join(folder ?? '', 'node_modules');
    const suite = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
    const flags = [
      '--url',
      proxy.url,
      '--requirements',
      revision,
      '--expected-failures',
      NOT_APPLICABLE,
      '-o',
      results,
    ];

    const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
      const node = join(modules, `node-linux-${process.arch}/bin/node`);
      execFile(node, [suite, 'server', ...flags], (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      );
    });

    // The end of the output says what failed.
    expect({ code, output: code === 0 ? '' : output.slice(-4_000) }).toEqual({ code: 0, output: '' });
    expect(output).toContain('✓ tools-list');
  });
});
