//! One call by the generated client.

use script_client::{Client, runtime::Credentials};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let client = Client::new(Credentials::token("token"))?;
        let project = client.projects().get("id").send().await?;
        println!("{}", project.title.as_deref().unwrap_or_default());
        Ok(())
    })
}
