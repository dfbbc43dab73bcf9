#!/bin/sh
# gnuchess for `adoube match` at a real-time priority: crates/bench/gnuchess.sh /usr/games/gnuchess --uci
#
# One thread of gnuchess 6.2.7 thinks, the first one passes on what it says, and ends the process when that comes faster
# than it reads (`nread < BUF_SIZE-1`): near a mate, where depths follow each other in no time. At a real-time priority a
# thread waits until others of the same one have had their turn, so the first thread gets the next higher priority.
set -eu
(
    sleep 0.5
    chrt -r -p "$(($(chrt -p $$ | sed -n 's/.*priority: //p') + 1))" $$
) </dev/null >/dev/null 2>&1 &
exec "$@"
