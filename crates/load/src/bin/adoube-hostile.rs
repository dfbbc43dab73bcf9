use adoube_load::hostile::{Arguments, run};
use anyhow::Result;
use clap::Parser as _;

#[tokio::main]
async fn main() -> Result<()> {
    run(&Arguments::parse()).await
}
