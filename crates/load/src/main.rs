use adoube_load::{Arguments, run};
use anyhow::Result;
use clap::Parser as _;

#[tokio::main]
async fn main() -> Result<()> {
    let report = run(&Arguments::parse()).await?;
    println!("{}", serde_json::to_string_pretty(&report)?);
    report.judge()
}
