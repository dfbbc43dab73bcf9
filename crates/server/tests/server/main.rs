//! The server as its visitors meet it: on a real port, over a real file, with a clock and randomness of our own.

mod house;
mod http;
mod machine;
mod socket;
