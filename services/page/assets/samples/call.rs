use mailbox_client::{Client, runtime::Credentials};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::builder().base_url("BASE_URL/mail/v1").credentials(Credentials::token("TOKEN")).build()?;
    let profile = client.users().get_profile("me").send().await?;
    println!("{profile:?}");
    Ok(())
}
