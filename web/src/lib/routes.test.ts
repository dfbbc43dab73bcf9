import { describe, expect, it } from 'vitest';
import {
  analysedGamePath,
  composePath,
  gamePath,
  invitePath,
  parsePath,
  problemsPath,
  savedAnalysesPath,
  savedAnalysisPath,
} from './routes';

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
    expect(parsePath(savedAnalysesPath)).toEqual({ page: 'analysis-list' });
    expect(parsePath(savedAnalysisPath('aB3dE5gH7jK9'))).toEqual({
      page: 'analysis-saved',
      id: 'aB3dE5gH7jK9',
    });
    expect(parsePath('/learn')).toEqual({ page: 'learn', variant: 'chess', drill: null });
    expect(parsePath('/learn/baroque/pawn-one')).toEqual({
      page: 'learn',
      variant: 'baroque',
      drill: 'pawn-one',
    });
    expect(parsePath('/problems/interweave')).toEqual({
      page: 'problems',
      variant: 'interweave',
      problem: null,
    });
    expect(parsePath('/problems/chess/0a1b2c3d')).toEqual({
      page: 'problems',
      variant: 'chess',
      problem: '0a1b2c3d',
    });
    expect(parsePath(problemsPath('chess', 'aB3dE5gH7jK9'))).toEqual({
      page: 'problems',
      variant: 'chess',
      problem: 'aB3dE5gH7jK9',
    });
    expect(parsePath(composePath('baroque'))).toEqual({ page: 'compose', variant: 'baroque' });
    expect(composePath('chess', '8/8 w')).toBe('/problems/chess/compose#fen=8%2F8%20w');
    expect(parsePath('/recover/t0ken')).toEqual({ page: 'recover', token: 't0ken' });
    expect(parsePath('/confirm/t0ken')).toEqual({
      page: 'mail-link',
      wish: 'confirm',
      token: 't0ken',
    });
    expect(parsePath('/mail/stop/t0ken')).toEqual({
      page: 'mail-link',
      wish: 'stop',
      token: 't0ken',
    });
    expect(parsePath('/mail/stop')).toEqual({ page: 'not-found' });
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
      '/analysis/saved/a/b',
      '/analysis/saved/<b>',
      '/analysis/chess/a',
      '/learn/draughts',
      '/learn/chess/a/b',
      '/learn/chess/<b>',
      '/rules/chess/x',
    ]) {
      expect(parsePath(path), path).toEqual({ page: 'not-found' });
    }
  });
});
