import { describe, expect, it } from 'vitest';
import { analysedGamePath, gamePath, invitePath, parsePath } from './routes';

describe('parsePath', () => {
  it('knows the pages', () => {
    expect(parsePath('/')).toEqual({ page: 'home' });
    expect(parsePath(gamePath('aB3dE5gH7jK9'))).toEqual({ page: 'game', id: 'aB3dE5gH7jK9' });
    expect(parsePath(invitePath('t_o-ken'))).toEqual({ page: 'invite', token: 't_o-ken' });
    expect(parsePath('/hall')).toEqual({ page: 'hall' });
    expect(parsePath('/games/')).toEqual({ page: 'games' });
    expect(parsePath('/rules')).toEqual({ page: 'rules', variant: 'chess' });
    expect(parsePath('/rules/baroque')).toEqual({ page: 'rules', variant: 'baroque' });
    expect(parsePath('/analysis')).toEqual({ page: 'analysis', variant: 'chess' });
    expect(parsePath('/analysis/baroque')).toEqual({ page: 'analysis', variant: 'baroque' });
    expect(parsePath(analysedGamePath('aB3dE5gH7jK9'))).toEqual({
      page: 'analysis-game',
      id: 'aB3dE5gH7jK9',
    });
    expect(parsePath('/recover/t0ken')).toEqual({ page: 'recover', token: 't0ken' });
    expect(parsePath('/game/aB3dE5gH7jK9/')).toEqual({ page: 'game', id: 'aB3dE5gH7jK9' });
  });

  it('refuses anything else', () => {
    for (const path of [
      '/game',
      '/game/a/b',
      '/games/abc',
      '/game/a%2Fb',
      '/invite/<b>',
      '/hall/x',
      '/rules/draughts',
      '/analysis/draughts',
      '/analysis/game',
      '/analysis/game/a/b',
      '/analysis/chess/a',
    ]) {
      expect(parsePath(path), path).toEqual({ page: 'not-found' });
    }
  });
});
