import { describe, expect, it } from 'vitest';
import { gamePath, invitePath, parsePath } from './routes';

describe('parsePath', () => {
  it('knows the three pages', () => {
    expect(parsePath('/')).toEqual({ page: 'home' });
    expect(parsePath(gamePath('aB3dE5gH7jK9'))).toEqual({ page: 'game', id: 'aB3dE5gH7jK9' });
    expect(parsePath(invitePath('t_o-ken'))).toEqual({ page: 'invite', token: 't_o-ken' });
    expect(parsePath('/game/aB3dE5gH7jK9/')).toEqual({ page: 'game', id: 'aB3dE5gH7jK9' });
  });

  it('refuses anything else', () => {
    for (const path of ['/game', '/game/a/b', '/games/abc', '/game/a%2Fb', '/invite/<b>']) {
      expect(parsePath(path), path).toEqual({ page: 'not-found' });
    }
  });
});
