import { listChallenges } from './hall/calls';
import { listGames } from './http';

/** The challenges and games that wait for the visitor, counted on every page. */
class Awaiting {
  challenges = $state(0);
  games = $state(0);

  /** Asks the server; without an answer what is shown stays as it was. */
  async look(): Promise<void> {
    try {
      const [challenges, games] = await Promise.all([
        listChallenges(),
        listGames({ state: 'waiting' }),
      ]);
      this.challenges = challenges.received.length;
      this.games = games.games.length;
    } catch {
      // The pages themselves say when the server does not answer.
    }
  }

  forget(): void {
    this.challenges = 0;
    this.games = 0;
  }
}

export const awaiting = new Awaiting();
