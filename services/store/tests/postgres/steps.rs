//! Operations that are composed of steps for a test.

use tokio::sync::oneshot;
use wireform_store::session::{Row, Session, Value};
use wireform_store::{Access, Backend as _, Operation, Postgres, Result};

/// Step of an operation.
pub enum Step {
    /// Runs a statement, whose rows become the result of the operation.
    Rows(&'static str, Vec<Value>),
    /// Runs a statement.
    Run(&'static str, Vec<Value>),
    /// Runs a statement, and continues if it fails.
    Careless(&'static str),
    /// Runs a statement for each list of values.
    RunEach(&'static str, Vec<Vec<Value>>),
    /// Runs a statement for each list of values; all rows become the result of the operation.
    RowsOfEach(&'static str, Vec<Vec<Value>>),
    /// Signals that this step was reached.
    Signal(oneshot::Sender<()>),
    /// Waits for a signal.
    Await(oneshot::Receiver<()>),
    /// Panics.
    Panic,
}

struct Steps<const ACCESS: u8>(Vec<Step>);

const READ: u8 = 0;
const SCAN: u8 = 1;
const WRITE: u8 = 2;

impl<const ACCESS: u8> Operation for Steps<ACCESS> {
    type Output = Vec<Row>;
    const ACCESS: Access = match ACCESS {
        READ => Access::Read,
        SCAN => Access::Scan,
        _ => Access::Write,
    };

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for step in self.0 {
            match step {
                Step::Rows(sql, values) => rows = session.rows(sql, &values).await?,
                Step::Run(sql, values) => drop(session.run(sql, &values).await?),
                Step::Careless(sql) => drop(session.run(sql, &[]).await),
                Step::RunEach(sql, each) => drop(session.run_each(sql, &each).await?),
                Step::RowsOfEach(sql, each) => {
                    rows = session.rows_of_each(sql, &each).await?.into_iter().flatten().collect();
                }
                Step::Signal(receiver) => drop(receiver.send(())),
                Step::Await(word) => drop(word.await),
                Step::Panic => panic!("as the test wants it"),
            }
        }
        Ok(rows)
    }
}

/// Runs the steps in a transaction that writes.
pub async fn write(store: &Postgres, steps: Vec<Step>) -> Result<Vec<Row>> {
    store.perform(Steps::<WRITE>(steps)).await
}

/// Runs the steps in a transaction that reads.
pub async fn read(store: &Postgres, steps: Vec<Step>) -> Result<Vec<Row>> {
    store.perform(Steps::<READ>(steps)).await
}

/// Runs the steps in a transaction that scans.
pub async fn scan(store: &Postgres, steps: Vec<Step>) -> Result<Vec<Row>> {
    store.perform(Steps::<SCAN>(steps)).await
}

/// Returns the numbers in the first column.
pub fn numbers(rows: &[Row]) -> Vec<i64> {
    rows.iter().map(|row| row.int(0).unwrap()).collect()
}
