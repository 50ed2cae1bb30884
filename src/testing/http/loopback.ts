import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on the loopback. */
export interface Loopback {
  readonly port: number;
  /** Resolves once no request is under way. */
  readonly idle: () => Promise<void>;
  /** Drops all connections and listens no more. */
  readonly close: () => Promise<void>;
}

/** Listens on a port, a free one unless told; `serve` resolves when a connection has nothing more to hear. Rejects if the port is taken. */
export async function listen(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  port = 0,
): Promise<Loopback> {
  const open = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const served = serve(request, response);
    open.add(served);
    void served.finally(() => open.delete(served));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const idle = async (): Promise<void> => {
    while (open.size > 0) await Promise.all(open);
  };
  return {
    port: (server.address() as AddressInfo).port,
    idle,
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
      await idle();
    },
  };
}
