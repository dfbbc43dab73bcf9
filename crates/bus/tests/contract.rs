//! Runs the contract test on [`LocalBus`].

use std::sync::Arc;

use adoube_bus::{Bus, LocalBus};

#[tokio::test]
async fn passes_the_contract_test() {
    let bus: Arc<dyn Bus> = Arc::new(LocalBus::new());
    adoube_bus::check_contract(Arc::clone(&bus), bus).await;
}
