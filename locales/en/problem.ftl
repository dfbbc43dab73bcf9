# The problems: a position, one move that does it.

problems-of = Problems: { $variant }
problem-standing = Your rating
problem-streak = Streak
problem-count = Solved
problem-of-all = { $solved } of { $all }
problem-mate = { $count ->
    [one] Mate in one.
   *[other] Mate in { $count }.
  }
problem-win = { $count ->
    [one] Win in one move.
   *[other] Win in { $count } moves.
  }
problem-gain = One move is clearly better than all others. Find it.
problem-level = Difficulty { $rating }
problem-go-on = Good. The answer is { $turn }: go on.
problem-chain = Go on taking.
problem-right = Right
problem-right-win = That wins, and no other first move would have won in time.
problem-right-gain = It was the one good move, by far.
problem-wrong = Not that
problem-refuted = After { $turn } the win no longer comes in time.
problem-drawn = The game would end so without a winner.
problem-late = That move does not win in time.
problem-worse = Another move is clearly better.
problem-rated = Rating: { $before } → { $after }
problem-solution = The solution: { $turns }
problem-retry = Try again
problem-show = Show the solution
problem-next = Next problem
problem-analyse = Analyse the position
problem-link = Link to this problem
problem-none = There is no such problem.
problem-none-yet = There are no problems in this game yet.
problem-kept = Your rating is kept by this browser; that of an account follows you everywhere. Only the first try counts.
problem-kept-account = Your rating is worked out and kept by the server, with your account: it follows you everywhere. Only the first try counts. What this browser has counted without an account is not part of it.
problem-unknown = This move is not in the solution, and proving it here would take too long.

## Composed problems

composed-title = Composed by players
composed-compose = Compose a problem
composed-none = Nobody has published any yet. Be the first!
composed-untitled = Untitled
composed-by = by { $name }
composed-by-nobody = by a former player
composed-mine = yours
composed-proved = proved, unrated
composed-withdraw = Withdraw this problem
composed-withdraw-confirm = Really withdraw
solution-title = The whole solution
solution-others = (or { $turns })
solution-incomplete = The tree is larger: the rest is not shown.
error-problem-not-found = There is no such problem.
