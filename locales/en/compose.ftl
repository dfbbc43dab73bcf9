# Composing a problem: the position, the goal, the solution, the proof.

compose-title = Compose: { $variant }
compose-to-problems = Back to the problems
compose-about = Set up a position, play your solution and have it proved. The server examines every move of both sides and reports whether there is another solution. Only a proved problem can be published.

## The position

compose-fen = Start from a FEN
compose-fen-read = Set up
compose-take = Use this position

## The goal and the solution

compose-board = Your problem
compose-goal = The goal
compose-turns = Moves
compose-goal-hint = Only a forced win can be proved. “One move is clearly better” rests on a search, which proves nothing, so such a problem cannot be composed here.
compose-solution = The solution
compose-solution-hint = Play it on the board, for both sides. The first move is enough: the proof finds the rest. Go back and play another reply to add a line.
compose-remove = Remove
compose-remove-line = Remove the line { $line }
compose-back = Previous move
compose-start = Start
compose-edit = Change the position

## The proof

compose-proof = The proof
compose-prove = Prove
compose-proving = The server is examining every move…
compose-name = Title (optional)
compose-name-hint = Published under the name { $name }.
compose-publish = Publish
compose-needs-account = You need an account to publish, because problems carry their composer’s name.
compose-account = Create an account
proof-proved = Proved
proof-proved-why = Exactly one first move reaches the goal, and nothing does so sooner.
proof-known = This position has already been published
proof-known-link = Show that problem
proof-second = { $count ->
    [one] There is another solution
   *[other] There are { $count } other solutions
  }
proof-second-all = Several first moves reach the goal:
proof-second-own = { $turn } reaches the goal, but so does this:
proof-sooner = The goal is reached sooner
proof-refuted = { $turn } does not reach the goal
proof-refuted-reply = The opponent replies { $turn }, and the win comes too late.
proof-refuted-end = The game would then end without a winner.
proof-instead = This reaches the goal instead:
proof-no-win = There is no solution
proof-no-win-why = { $count ->
    [one] Nothing wins in one move.
   *[other] Nothing wins in { $count } moves against every defence.
  }
proof-too-hard = Too hard to prove here
proof-too-hard-why = After { NUMBER($count) } positions the problem is neither proved nor refuted. Try a shorter goal or fewer pieces.
proof-unfit = This cannot be proved

## Refusals

error-problem-known = This position has already been published ({ $id }).
error-problem-title = A title must have 1 to { $limit } visible characters.
error-problem-second-solution = There is another solution: { $line }.
error-problem-sooner = The goal is reached in { $turns } { $turns ->
    [one] move
   *[other] moves
  }: { $line }.
error-problem-refuted = { $line } does not reach the goal: { $reply } refutes it.
error-problem-no-winner = After { $line }, the game ends without a winner.
error-problem-no-win = Nothing reaches the goal in the given number of moves.
error-problem-too-hard = After { $nodes } positions there is no result.
error-problem-unfit = This composition cannot be proved.
error-compose-turns = A win must take 1 to { $limit } moves.
error-compose-goal = Only a forced win can be proved.
error-compose-too-many-lines = There are too many lines.
error-compose-line-too-long = A line continues beyond the goal.
error-compose-two-first-turns = Your lines begin with two different moves ({ $one } and { $other }): that would be two solutions.
