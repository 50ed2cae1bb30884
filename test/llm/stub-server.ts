import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gate } from '../gate.ts';

/** A server that does what no faithful one does. */
export interface StubServer extends AsyncDisposable {
  readonly url: string;
  /** Paths that were asked for. */
  readonly paths: readonly string[];
  /** Resolves when a client has hung up before it was answered. */
  readonly left: Promise<void>;
  close(): Promise<void>;
}

/** Starts one on the loopback. */
export async function stubServer(listener: RequestListener): Promise<StubServer> {
  const paths: string[] = [];
  const left = gate();
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.on('close', () => {
      if (!response.writableFinished) left.open();
    });
    listener(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => {
      server.close(resolve);
    });
    server.closeAllConnections();
    await closed;
  };
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    paths,
    left: left.passed,
    close,
    [Symbol.asyncDispose]: close,
  };
}
