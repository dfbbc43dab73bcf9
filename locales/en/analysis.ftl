### Analysis: the board, the engine, the editor, the report

analysis-title = Analysis
analysis-title-of = Analysis: { $variant }
analysis-empty = Play a move on the board, or open a game.
analysis-over = The game is over in this position.
analysis-keys = ← and → step through the line, Home and End go to its ends, ↑ and ↓ switch between variations.
analysis-link-refused = This link could not be read completely.
analysis-edit = Edit the position
analysis-compose = Compose a problem
analysis-previous = Previous analysis
analysis-kept = The analysis is kept in this browser, even after the page is closed.

## The engine

analysis-engine = Engine
analysis-engine-on = Analyse
analysis-thinking = The engine is getting ready…
analysis-depth = Depth { $depth }/{ $selective }
analysis-nodes = { $count } positions
analysis-speed = { $count }/s
analysis-finished = done
analysis-lines = Best lines
analysis-line-count = Lines
analysis-thread-count = Threads
analysis-threat-show = Show the threat
analysis-threat = { $color ->
    [white] If it were White’s move: { $turn }
   *[black] If it were Black’s move: { $turn }
  }
analysis-threat-none = The side to move is in check and cannot pass: there is no threat to show here.
analysis-score-none = No evaluation yet
analysis-score-mate = { $color ->
    [white] White wins in { $count } { $count ->
        [one] move
       *[other] moves
      }.
   *[black] Black wins in { $count } { $count ->
        [one] move
       *[other] moves
      }.
  }
analysis-score-pawns = { $side ->
    [white] White is better ({ $score }).
    [black] Black is better ({ $score }).
   *[none] The position is balanced ({ $score }).
  }

## Moves, their marks and their variations

analysis-variation = Variation: { $turn }
analysis-variation-of = Variation { $number } of { $count }.
analysis-notes = Annotate this move
analysis-marks = Marks for { $turn }
analysis-mark-good = Good move
analysis-mark-mistake = Mistake
analysis-mark-brilliant = Brilliant move
analysis-mark-blunder = Blunder
analysis-mark-interesting = Interesting move
analysis-mark-dubious = Dubious move
analysis-comment = Comment on { $turn }
analysis-comment-start = Comment before the first move
analysis-promote = Promote the variation
analysis-remove = Delete from here
analysis-remove-confirm = Yes, delete

## Opening and saving

analysis-open-game = Open a game
analysis-open = Open a FEN or a PGN
analysis-open-text = Paste a FEN or a PGN
analysis-open-read = Load
analysis-open-file = Choose a file
analysis-open-games = { $count ->
    [one] One game
   *[other] { $count } games
  }
analysis-open-first = The first { $count } of { $total } games are listed.
analysis-open-more = { $count ->
    [one] One more warning.
   *[other] { $count } more warnings.
  }
analysis-game-name = { $number }. { $white } – { $black }
analysis-read = Loaded.
analysis-broken-turn = Line { $line }, half-move { $number }:
analysis-broken-line = Line { $line }:
analysis-broken-read = { $count ->
    [0] Only the starting position could be read.
    [one] The half-move before it has been read.
   *[other] The { $count } half-moves before it have been read.
  }
analysis-broken-nothing = This game could not be read.
analysis-save = Share and save
analysis-link-copy = Copy the link

## Saving to the account

saved-title = Your analyses
saved-summary = Save to your account
saved-is-saved = saved
saved-is-changed = changed
saved-needs-account = Sign in to save analyses to your account.
saved-name = Name of the analysis
saved-name-of = { $variant }, { $date }
saved-save = Save
saved-save-copy = Save a copy
saved-copy-of = { $name } (copy)
saved-done = The analysis is saved in your account.
saved-conflict = This analysis has since been saved in another tab or browser. Nothing was overwritten.
saved-take-other = Show the other version
saved-keep-both = Keep both
saved-overwrite = Replace the other version
saved-overwrite-confirm = Yes, replace
saved-none = You have no saved analyses yet. Open the analysis board, then choose “Save to your account”.
saved-count = { $count } of { $limit }
saved-download = All in one file (PGN)
saved-changed-at = { $date }
saved-rename = Rename
saved-rename-this = Rename { $name }
saved-renamed = The analysis has been renamed.
saved-delete = Delete
saved-delete-confirm = Yes, delete
saved-deleted = The analysis has been deleted.
error-analysis-not-found = Your account has no such analysis. It may have been deleted.
error-analysis-changed = This analysis has since changed; the current version is shown. Try again.
error-too-many-analyses = An account can store at most { $limit } analyses. Delete one.
error-bad-analysis-name = The name of an analysis must have 1 to { $limit } characters, on one line.
error-bad-pgn = Line { $line }: this PGN cannot be read.
error-pgn-games = An analysis is one game, with its variations.
error-too-large = This is too large for the account. A file has no such limit.

## The position editor

editor-title = Set up the position
editor-board = Position editor board
editor-hint = Drag pieces onto the board, and off it to remove them; a right-click or a long press removes them too. Or choose a piece, then its squares.
editor-tool = Piece to place
editor-move = Move
editor-erase = Remove
editor-picked = { $piece } on { $square }, picked up.
editor-turn = To move
editor-turn-of = { $color ->
    [white] White
   *[black] Black
  }
editor-castling = Castling still possible
editor-castling-rook = with the rook on { $square }
editor-reserves = Reserves
editor-fine = This position can be played.
editor-done = Analyse
editor-empty = Clear
editor-initial = Starting position

## The report

report-title = Report
report-about = The engine evaluates every position of the main line in this browser ({ $nodes } positions searched for each).
report-make = Create the report
report-making = The engine is analysing the game…
report-graph = Graph of the evaluation, move by move; the table has the same data
report-accuracy = Accuracy: { $percent }%
report-count-inaccuracy = { $count } { $count ->
    [one] inaccuracy
   *[other] inaccuracies
  }
report-count-mistake = { $count } { $count ->
    [one] mistake
   *[other] mistakes
  }
report-count-blunder = { $count } { $count ->
    [one] blunder
   *[other] blunders
  }
report-verdict-inaccuracy = inaccuracy
report-verdict-mistake = mistake
report-verdict-blunder = blunder
report-mistakes = Moves worth reviewing
report-mistake = – { $verdict }, loses { $percent }% of a point.
report-better = Better: { $line }
report-retry = Try again from here
report-annotate = Add this to the game
report-clean = No move lost much.
report-table = Table, move by move
report-column-turn = Move
report-column-score = Evaluation
report-column-loss = Loss
report-column-verdict = Verdict
report-percent = { $percent }%
report-how = The loss is counted in expected points. At { $nodes } positions per move the engine may be slightly wrong.

## The exercise

exercise-title = Try again
exercise-task = { $color ->
    [white] White played { $turn }. Find something better.
   *[black] Black played { $turn }. Find something better.
  }
exercise-play = Play on the board.
exercise-judging = The engine is judging this move…
exercise-grade-best = That is the best move!
exercise-grade-good = Well played: this move is as good as the best.
exercise-grade-fair = A good move; there is a slightly better one (this one loses { $percent }% of a point).
exercise-grade-wrong = This move loses { $percent }% of a point. Look again.
exercise-again = Try another move
exercise-show = Show the solution
exercise-next = Next mistake
exercise-leave = Back to the analysis

## Refusals

error-analysis-not-over = This game is not over; it can be analysed afterwards.
error-engine-load = The engine could not be loaded. Check the connection, then try again.
error-engine-memory = This browser does not have enough memory for the engine.
error-engine-network = The downloaded evaluation network is damaged. Reload the page.
error-pgn = This PGN cannot be read.
error-pgn-empty = There is no game in this text.
error-pgn-variant = The game “{ $text }” is not supported here. The Variant tag may be { $known }.
error-pgn-tag = “{ $text }” is not a tag. Write [Name "value"].
error-pgn-open-comment = The comment that begins here is never closed by “{"}"}”.
error-pgn-open-variation = A variation is not closed: its “)” is missing.
error-pgn-closes-nothing = “{ $text }” has no matching opening bracket.
error-pgn-too-deep = The variations are nested too deeply.
error-pgn-too-long = This text is too long.
error-pgn-blocks-differ = The two blocks of the file differ at half-move { $number }.
error-pgn-loose-tag = “{ $text }” is read as a tag, but should be written [Name "value"].
error-pgn-tag-in-movetext = A tag in the middle of the moves: the next game begins there.
error-pgn-unknown-sign = “{ $text }” is not recognised and was ignored.
error-pgn-result = “{ $text }” is not a result. Results are 1-0, 0-1, 1/2-1/2 and *.
error-pgn-cut-variation = A variation was cut off here.
error-pgn-too-much = { $what ->
    [tags] There are too many tags; the rest are left out.
    [tag-value] The value of a tag is too long; the rest is left out.
    [marks] There are too many marks on a move; the rest are left out.
    [comments] There are too many comments on a move; the rest are left out.
    [comment] A comment is too long; the rest is left out.
    [variations] There are too many variations on a move; the rest are left out.
   *[other] There are too many moves; the rest of the variations are left out.
  }
error-pgn-no-turn = A mark or variation that belongs to no move was ignored.
error-pgn-compressed = This file is compressed ({ $kind }). Unpack it first.
error-pgn-markup = This is a web page. Download the PGN itself.
error-pgn-other-file = This is not a PGN file.
error-turn-null-move = A null move is not possible here: the king is in check.
