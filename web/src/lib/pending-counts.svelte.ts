import { listChallenges } from './hall/calls';
import { isAgainstMachine } from './game/names';
import { listGames } from './http';

/** Counts the challenges and games that are waiting for the visitor; shown on every page. */
class PendingCounts {
  challenges = $state(0);
  games = $state(0);

  /** Fetches the counts. If that fails, they stay unchanged. */
  async refresh(): Promise<void> {
    try {
      const [challenges, games] = await Promise.all([
        listChallenges(),
        listGames({ state: 'waiting' }),
      ]);
      this.challenges = challenges.received.length;
      // Games against the machine are not counted, because no person is waiting.
      this.games = games.games.filter((game) => !isAgainstMachine(game)).length;
    } catch {
      // The pages themselves report that the server does not respond.
    }
  }

  clear(): void {
    this.challenges = 0;
    this.games = 0;
  }
}

export const pendingCounts = new PendingCounts();
