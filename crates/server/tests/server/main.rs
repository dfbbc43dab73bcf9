//! The server as its visitors see it, on a real port and with a real database. Most tests provide the clock
//! and the entropy.

mod accounts;
mod administration;
mod base_path;
mod blocks;
mod databases;
mod emails;
mod hall;
mod house;
mod http;
mod limits;
mod live;
mod machine;
mod nodes;
mod operator;
mod pages;
mod postgres;
mod problems;
mod providers;
mod push;
mod rules;
mod second_factor;
mod servers;
mod sign_in;
mod socket;
mod studies;
