# The problems: each is a position with one move that solves it.

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
problem-go-on = Good. Your opponent replies { $turn }: continue.
problem-chain = Continue capturing.
problem-right = Right
problem-right-win = That wins, and no other first move wins as quickly.
problem-right-gain = It was by far the best move.
problem-wrong = Not the right move
problem-refuted = After { $turn } there is no win in the given number of moves.
problem-drawn = The game would then end without a winner.
problem-late = That move does not win in the given number of moves.
problem-worse = Another move is clearly better.
problem-refuting = The engine is looking for the reply…
problem-reply = { $color ->
    [white] White replies { $turn } and { $gain }.
   *[black] Black replies { $turn } and { $gain }.
  }
problem-rated = Rating: { $before } → { $after }
problem-solution = The solution: { $turns }
problem-retry = Try again
problem-show = Show the solution
problem-next = Next problem
problem-analyse = Analyse the position
problem-link = Link to this problem
problem-none = This problem does not exist.
problem-none-yet = There are no problems for this game yet.
problem-kept = Your rating is stored in this browser; with an account it follows you everywhere. Only the first attempt counts.
problem-kept-account = The server computes and stores your rating with your account, so it follows you everywhere. Only the first attempt counts. Problems solved without an account are not included.
problem-unknown = This move is not in the solution, and checking here whether it works would take too long.
problem-scene = Your opponent has just played { $turn }.
problem-hint-ask = Hint
problem-hint-piece = Hint: the piece to move is on { $square } ({ $piece }).
problem-hint = Hint: from { $from } to { $to }.
problem-hint-stays = Hint: the piece on { $from } stays on its square.
problem-help-counts = For your rating, asking for a hint or the solution counts as a failed attempt.
problem-steps = The solution, move by move
problem-steps-keys = The left and right arrow keys, Home and End step through the solution.
problem-line-thinking = The engine is calculating what follows…
problem-line-failed = The engine is not available, so what follows is not shown.
problem-line-continues = The engine continues:
problem-line-gain = { $color ->
    [white] White { $gain }.
   *[black] Black { $gain }.
  }
# What a side wins: after "White" or "White replies Rxd4 and".
problem-gains = wins { $pieces }
problem-gains-for = wins { $pieces } for { $lost }
problem-gains-win = wins the game in { $count } { $count ->
    [one] move
   *[other] moves
  }
problem-gains-advantage = gets a clear advantage
problem-themes = Themes: { $themes }
problem-continue = Continue from here against the machine
problem-filter = Theme of the next problems
problem-filter-all = All problems ({ $count })
problem-filter-option = { $name } ({ $count })
problem-filter-gain = The only good move
problem-filter-mate = { $count ->
    [one] Mate in one
   *[other] Mate in { $count }
  }
problem-filter-win = { $count ->
    [one] Win in one
   *[other] Win in { $count }
  }

## Composed problems

composed-title = Composed by players
composed-compose = Compose a problem
composed-none = No problems have been published yet. Be the first!
composed-untitled = Untitled
composed-by = by { $name }
composed-by-deleted = by a deleted account
composed-mine = yours
composed-proved = proved, unrated
composed-withdraw = Withdraw this problem
composed-withdraw-confirm = Yes, withdraw
solution-title = Complete solution
solution-others = (or { $turns })
solution-incomplete = The tree is larger: the rest is not shown.
error-problem-not-found = This problem does not exist.

## Themes, derived from position and solution

problem-theme-mate = checkmate
problem-theme-no-moves = opponent left without a move
problem-theme-king-capture = capture of a king
problem-theme-double-capture = several captures in one move
problem-theme-chain = chain of captures
problem-theme-pincer = pincer capture
problem-theme-coordination = capture by coordination
problem-theme-leap = capture by leaping
problem-theme-withdrawal = capture by moving away
problem-theme-approach = capture by approach
problem-theme-removal = capture without moving
problem-theme-imitation = capture by a chameleon
problem-theme-en-passant = en passant
problem-theme-freeze = freezing
problem-theme-giving-up = frozen piece given up
problem-theme-fork = fork
problem-theme-discovered-check = discovered check
problem-theme-double-check = double check
problem-theme-sacrifice = sacrifice
problem-theme-promotion = promotion
problem-theme-castling = castling
problem-theme-quiet-key = quiet first move
