import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server process that the test may kill and restart with the same database and port. */
export class RestartableServer {
  private process: ChildProcess | undefined;
  /** The server's output on standard error, including its log. */
  output = '';

  private constructor(
    private readonly binary: string,
    private readonly folder: string,
    private readonly port: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /**
   * Starts a server. `settings` returns additional environment variables, given the server's URL.
   */
  static async start(
    settings: (url: string) => Readonly<Record<string, string>> = () => ({}),
  ): Promise<RestartableServer> {
    const binary = process.env['ADOUBE_BIN'];
    if (binary === undefined) throw new Error('ADOUBE_BIN is not set; run `cargo xtask test e2e`');
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'adoube-'));
    const environment = settings(`http://127.0.0.1:${port}`);
    const server = new RestartableServer(binary, folder, port, environment);
    await server.restart();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /**
   * Returns the link that makes its first visitor an administrator. The server prints it when it
   * starts if the house has no administrator.
   */
  async adminLink(): Promise<string> {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const path = /\/join\/\w+/.exec(this.output)?.[0];
      if (path !== undefined) return this.url + path;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the server printed no link: ${this.output}`);
  }

  /** Starts the process and waits until it responds to requests. */
  async restart(): Promise<void> {
    const data = join(this.folder, 'games.sqlite');
    this.process = spawn(
      this.binary,
      ['serve', '--listen', `127.0.0.1:${this.port}`, '--data', data],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        // On a loaded machine, the first request to a debug build takes seconds.
        env: { ...process.env, ADOUBE_LIMITS_REQUEST_S: '60', ...this.settings },
      },
    );
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
    for (let attempt = 0; attempt < 300; attempt += 1) {
      if (await this.isHealthy()) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`no server responds at ${this.url}`);
  }

  /** Kills the process as `kill -9` does, without a clean shutdown. */
  async kill(): Promise<void> {
    const { process } = this;
    if (process === undefined) return;
    if (process.exitCode === null && process.signalCode === null) {
      const exit = new Promise((resolve) => process.once('exit', resolve));
      process.kill('SIGKILL');
      await exit;
    }
    this.process = undefined;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async isHealthy(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/api/health`)).ok;
    } catch {
      return false;
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = createServer();
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      listener.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('the system did not assign a port'));
      });
    });
  });
}
