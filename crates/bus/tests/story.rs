//! The shared story on a bus inside one process.

use std::sync::Arc;

use adoube_bus::{Bus, LocalBus};

#[tokio::test]
async fn a_bus_inside_one_process_tells_the_story() {
    let bus: Arc<dyn Bus> = Arc::new(LocalBus::new());
    adoube_bus::story(Arc::clone(&bus), bus).await;
}
