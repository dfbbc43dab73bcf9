#!/bin/sh
# Runs gnuchess for an `adoube match` that has a real-time priority: crates/bench/gnuchess.sh /usr/games/gnuchess --uci
#
# In gnuchess 6.2.7 one thread thinks, and the first thread passes on what that one prints. The first thread ends the
# process if output arrives faster than it can read (`nread < BUF_SIZE-1`), which happens near a mate, where each depth
# takes hardly any time. At a real-time priority a thread waits until others of the same priority have had their turn,
# so the first thread gets the next higher priority.
set -eu
(
    sleep 0.5
    chrt -r -p "$(($(chrt -p $$ | sed -n 's/.*priority: //p') + 1))" $$
) </dev/null >/dev/null 2>&1 &
exec "$@"
