# Composing a problem: the position, the goal, the solution, the proof.

compose-title = Compose: { $variant }
compose-to-problems = Back to the problems
compose-about = Set up a position, play your solution, have it proved. The server looks at every move of both sides and says whether there is another solution. Only a proved problem can be published.

## The position

compose-fen = Begin with a FEN
compose-fen-read = Set it up
compose-take = Take this position

## The goal and the solution

compose-board = Your problem
compose-goal = The goal
compose-turns = Moves
compose-goal-hint = Only a forced win can be proved. “One move is clearly better” rests on a search, which proves nothing: it cannot be composed here.
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
compose-proving = The server looks at every move…
compose-name = Title (optional)
compose-name-hint = Published under the name { $name }.
compose-publish = Publish
compose-needs-account = Publishing needs an account: a problem bears a name.
compose-account = Open an account
proof-proved = It is proved
proof-proved-why = One first move reaches the goal, and nothing does it sooner.
proof-known = This position is a problem already
proof-known-link = Show that problem
proof-second = { $count ->
    [one] There is another solution
   *[other] There are { $count } other solutions
  }
proof-second-all = Several first moves reach the goal:
proof-second-own = { $turn } reaches the goal, but so does this:
proof-sooner = The goal is reached sooner
proof-refuted = { $turn } does not reach the goal
proof-refuted-reply = The other side answers { $turn }, and the win comes too late.
proof-refuted-end = The game would end there without a winner.
proof-instead = What reaches the goal in its place:
proof-no-win = There is no solution
proof-no-win-why = { $count ->
    [one] Nothing wins in one move.
   *[other] Nothing wins in { $count } moves against every defence.
  }
proof-too-hard = Too hard to prove here
proof-too-hard-why = After { NUMBER($count) } positions nothing is decided: neither proved nor refuted. A shorter goal or fewer pieces help.
proof-unfit = This cannot be looked at

## What is refused

error-problem-known = This position is a problem already ({ $id }).
error-problem-title = This title will not do: 1 to { $limit } readable characters.
error-problem-second-solution = There is another solution: { $line }.
error-problem-sooner = The goal is reached in { $turns } { $turns ->
    [one] move
   *[other] moves
  }: { $line }.
error-problem-refuted = { $line } does not reach the goal: { $reply } refutes it.
error-problem-no-win = Nothing reaches the goal in time.
error-problem-too-hard = After { $nodes } positions nothing is decided.
error-problem-unfit = This composition cannot be looked at.
error-compose-turns = A win is composed in 1 to { $limit } moves.
error-compose-goal = Only a forced win can be proved.
error-compose-too-many-lines = These are too many lines.
error-compose-line-too-long = A line goes on beyond the goal.
error-compose-two-first-turns = Your lines begin with two different moves ({ $one } and { $other }): that would be two solutions.
