use adoube_load::{Arguments, run};
use anyhow::Result;
use clap::Parser as _;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if let Some(baseline) = arguments.baseline() {
        eprintln!("running the baseline: one server with an SQLite file");
        let report = run(&baseline).await?;
        println!("{}", serde_json::to_string_pretty(&report)?);
        report.check()?;
    }
    let report = run(&arguments).await?;
    println!("{}", serde_json::to_string_pretty(&report)?);
    report.check()
}
