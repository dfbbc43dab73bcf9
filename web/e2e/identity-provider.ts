import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A sign-in whose code the house has not exchanged for a token yet. */
interface Grant {
  readonly nonce: string;
  readonly challenge: string;
}

const CLIENT = { id: 'adoube', secret: 'secret-of-the-house' } as const;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * A small OpenID Connect provider (Core 1.0, code flow with PKCE). It has a single user, and a page
 * on which this user agrees to a sign-in or refuses it.
 */
export class IdentityProvider {
  static readonly client = CLIENT;
  person = { subject: '4711', name: 'Anna' };
  #grants = new Map<string, Grant>();
  #server: Server;
  #port = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.writeHead(500).end());
    });
  }

  static async start(): Promise<IdentityProvider> {
    const provider = new IdentityProvider();
    await new Promise<void>((done) => provider.#server.listen(0, '127.0.0.1', done));
    const address = provider.#server.address();
    if (address !== null && typeof address === 'object') provider.#port = address.port;
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    const json = (value: unknown): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        json({
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        });
        return;
      case '/keys':
        json({
          keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg: 'RS256' }],
        });
        return;
      case '/authorize': {
        const redirectUrl = this.#redirectUrls(url.searchParams);
        const page = `<!doctype html><title>Provider</title><h1>Provider</h1>
          <a href="${redirectUrl('code')}">Agree</a> <a href="${redirectUrl('error')}">Refuse</a>`;
        response.writeHead(200, { 'content-type': 'text/html' }).end(page);
        return;
      }
      case '/token':
        json(this.#token(new URLSearchParams(await bodyOf(request))));
        return;
      default:
        response.writeHead(404).end();
    }
  }

  /**
   * Creates a grant; returns a function that gives the URL to redirect to for each outcome, escaped
   * for HTML.
   */
  #redirectUrls(parameters: URLSearchParams): (outcome: 'code' | 'error') => string {
    const value = (name: string): string => parameters.get(name) ?? '';
    const code = randomUUID();
    this.#grants.set(code, { nonce: value('nonce'), challenge: value('code_challenge') });
    return (outcome) => {
      const url = new URL(value('redirect_uri'));
      url.searchParams.set('state', value('state'));
      url.searchParams.set(outcome, outcome === 'code' ? code : 'access_denied');
      return url.href.replaceAll('&', '&amp;');
    };
  }

  #token(parameters: URLSearchParams): unknown {
    const code = parameters.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const verifier = createHash('sha256').update(parameters.get('code_verifier') ?? '');
    if (grant?.challenge !== verifier.digest('base64url')) return { error: 'invalid_grant' };
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.issuer,
      aud: CLIENT.id,
      sub: this.person.subject,
      preferred_username: this.person.name,
      nonce: grant.nonce,
      iat: now,
      exp: now + 300,
    };
    const signed = `${base64({ alg: 'RS256', kid: '1' })}.${base64(claims)}`;
    const signature = createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url');
    return { access_token: 'none', token_type: 'Bearer', id_token: `${signed}.${signature}` };
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
