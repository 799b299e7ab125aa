//! Serves the list on this machine and uses it: `cargo run -p reading-list`.

use std::error::Error;

use reading_list::{ReadingList, Tokens, unread_pages};
use reading_list_client::Client;
use reading_list_client::runtime::Credentials;
use reading_list_client::types::Book;
use reading_list_server::runtime::serve;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    // server
    let router = reading_list_server::server(ReadingList::new()?).authenticator(Tokens).router();
    // server
    let server = tokio::spawn(async move { serve(listener, router).await });

    // client
    let client = Client::builder().base_url(&address).credentials(Credentials::token("writer")).build()?;
    // client
    for (title, pages) in [("Effi Briest", 336), ("Momo", 304)] {
        client.books().create(Book::default().with_title(title).with_pages(pages)).await?;
    }
    println!("{} pages are left to read", unread_pages(&client).await?);
    server.abort();
    Ok(())
}
