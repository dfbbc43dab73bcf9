# Text of the documents that the server sends, for search engines, link previews and browsers without JavaScript.
# The rest of the text in these documents is in the other files.

document-home = Chess, Baroque, Interweave and Ultima
document-about-home = Play chess, Baroque, Ultima and Interweave against a friend or the machine, with no account and no ads. Illustrated rules, exercises and problems.
document-about-hall = The hall: offer a game of chess, Baroque, Ultima or Interweave, accept one, or watch others play.
document-about-analysis = { $variant }: an analysis board with variations, comments, PGN, and an engine that runs in your browser.
document-about-rules = { $variant }: all the rules, one at a time, with diagrams that you can play on.
document-about-learn = { $variant }: { $count } exercises, from the simplest to the hardest, each with an explained answer.
document-about-problems = { $variant }: { $count } problems, from the easiest to the hardest, each with its solution.
document-about-game = { $variant }, a game on adoube: { $white } against { $black }. { $state }
document-about-missing = There is nothing at this address on adoube.
document-languages = Languages
document-no-scripts = You can read this page without JavaScript. Turn it on to play on the boards.
document-needs-scripts = This page needs JavaScript. Without it, you can read the rules, the exercises, the problems and the games.
document-failed = This page could not be loaded completely. Check your connection, then reload the page.
document-answer = Show the answer
document-answers = Answer: { $answers }
document-solution = Show the solution
document-pieces-white = White: { $pieces }
document-pieces-black = Black: { $pieces }
document-reserve-white = White’s reserve: { $pieces }
document-reserve-black = Black’s reserve: { $pieces }
document-game = { $variant }: { $white } against { $black }
document-game-plays = The game is in progress, { $moves ->
    [0] with no moves played yet
    [one] after one move
   *[other] after { $moves } moves
  }.
document-game-waits = The game is waiting for its second player.
document-game-pgn = Download the game (PGN)
document-game-missing-title = Game not found
document-game-missing = There is no game at this address. The link may be incomplete.
document-invitation = Invitation to play: { $variant }
document-about-invitation = { $variant }: you are invited to a game on adoube. Open the link to see the terms and take your seat.
document-invitation-over-title = Invitation no longer open
document-invitation-over = This invitation is no longer open: someone has taken the seat, or the game was aborted. You can watch the game, or start another one.
document-invitation-missing-title = Invitation not found
document-invitation-missing = There is no invitation at this address. The link may be incomplete: ask the person who sent it to send it again.
document-problem-title = { $variant } problem: { $goal }
