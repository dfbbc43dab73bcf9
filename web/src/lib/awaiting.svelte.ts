import { listChallenges } from './hall/calls';
import { listGames } from './http';

/** Counts the challenges and games that wait for the visitor; shown on every page. */
class Awaiting {
  challenges = $state(0);
  games = $state(0);

  /** Fetches the counts. If that fails, they stay unchanged. */
  async look(): Promise<void> {
    try {
      const [challenges, games] = await Promise.all([
        listChallenges(),
        listGames({ state: 'waiting' }),
      ]);
      this.challenges = challenges.received.length;
      this.games = games.games.length;
    } catch {
      // The pages themselves report that the server does not respond.
    }
  }

  forget(): void {
    this.challenges = 0;
    this.games = 0;
  }
}

export const awaiting = new Awaiting();
