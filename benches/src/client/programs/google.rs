//! One call by google-script1.

use google_script1::{Script, hyper_rustls::HttpsConnectorBuilder, hyper_util};
use hyper_util::{client::legacy::Client, rt::TokioExecutor};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let connector = HttpsConnectorBuilder::new().with_native_roots()?.https_or_http().enable_http2().build();
        let client = Client::builder(TokioExecutor::new()).build(connector);
        let hub = Script::new(client, "token".to_owned());
        let (_, project) = hub.projects().get("id").doit().await?;
        println!("{}", project.title.as_deref().unwrap_or_default());
        Ok(())
    })
}
