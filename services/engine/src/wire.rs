//! Messages between the pool and its processes: JSON with a length prefix.

use std::io::{Error, ErrorKind, Read, Result, Write};

use serde::de::DeserializeOwned;
use serde::ser::Serialize;
use serde_derive::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::{Analysis, HostCall, HostError, LogLine, Outcome, SourceFile};

/// Maximum length of a message to a process.
pub(crate) const MAX_TO_CHILD: usize = 256 << 20;

/// Message of the pool; `P` is a program or a reference to one.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToChild<P> {
    /// Function call to run.
    Run(RunRequest<P>),
    /// Files whose functions are requested.
    Analyze { files: Vec<SourceFile>, limits: ChildLimits },
    /// Result of a call to the host.
    Reply(std::result::Result<Value, HostError>),
}

/// Function call to run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunRequest<P> {
    pub(crate) program: P,
    pub(crate) function: String,
    pub(crate) parameters: Vec<Value>,
    pub(crate) limits: ChildLimits,
}

/// Limits that a process enforces itself.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct ChildLimits {
    pub(crate) cpu_seconds: u64,
    pub(crate) memory: usize,
    pub(crate) stack: usize,
    pub(crate) output: usize,
    pub(crate) logs: usize,
}

/// Message of a process.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToParent {
    /// Call to the host, which waits for its reply.
    Call(HostCall),
    /// Line of the log.
    Log(LogLine),
    /// Outcome of a run.
    Done(Outcome),
    /// Result of an analysis.
    Analyzed(Vec<Analysis>),
}

/// Encodes a message as JSON after its length, four bytes in little-endian order; fails beyond `max` bytes.
fn encode(message: &impl Serialize, max: usize) -> Result<Vec<u8>> {
    let mut bytes = vec![0; 4];
    serde_json::to_writer(&mut bytes, message)?;
    let length = bytes.len() - 4;
    let prefix = u32::try_from(length).ok().filter(|_| length <= max).ok_or_else(too_long)?;
    for (byte, digit) in bytes.iter_mut().zip(prefix.to_le_bytes()) {
        *byte = digit;
    }
    Ok(bytes)
}

/// Decodes the length of a message; fails beyond `max` bytes.
fn length(prefix: [u8; 4], max: usize) -> Result<usize> {
    usize::try_from(u32::from_le_bytes(prefix)).ok().filter(|length| *length <= max).ok_or_else(too_long)
}

fn too_long() -> Error {
    Error::new(ErrorKind::InvalidData, "message too long")
}

/// Writes a message.
pub(crate) fn write(writer: &mut impl Write, message: &impl Serialize, max: usize) -> Result<()> {
    writer.write_all(&encode(message, max)?)?;
    writer.flush()
}

/// Reads a message.
pub(crate) fn read<T: DeserializeOwned>(reader: &mut impl Read, max: usize) -> Result<T> {
    let mut prefix = [0; 4];
    reader.read_exact(&mut prefix)?;
    let mut bytes = vec![0; length(prefix, max)?];
    reader.read_exact(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}

/// Writes a message asynchronously.
pub(crate) async fn send(writer: &mut (impl AsyncWrite + Unpin), message: &impl Serialize, max: usize) -> Result<()> {
    writer.write_all(&encode(message, max)?).await?;
    writer.flush().await
}

/// Reads the length of a message asynchronously.
pub(crate) async fn receive_length(reader: &mut (impl AsyncRead + Unpin), max: usize) -> Result<usize> {
    let mut prefix = [0; 4];
    reader.read_exact(&mut prefix).await?;
    length(prefix, max)
}

/// Reads the text of a message asynchronously.
///
/// Memory grows with the received data, not with the length that the sender claims.
pub(crate) async fn receive_text(reader: &mut (impl AsyncRead + Unpin), length: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(length as u64).read_to_end(&mut bytes).await?;
    if bytes.len() < length {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

/// Decodes the text of a message.
pub(crate) fn decode<T: DeserializeOwned>(text: &[u8]) -> Result<T> {
    Ok(serde_json::from_slice(text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_limited_on_both_sides() {
        let mut bytes = Vec::new();
        assert!(write(&mut bytes, &"x".repeat(100), 50).is_err());
        write(&mut bytes, &"x".repeat(100), 200).unwrap();
        assert!(read::<String>(&mut bytes.as_slice(), 50).is_err());
        assert_eq!(read::<String>(&mut bytes.as_slice(), 200).unwrap(), "x".repeat(100));
        let truncated = bytes.get(..40).unwrap();
        assert!(read::<String>(&mut &*truncated, 200).is_err());
    }

    #[test]
    fn undefined_and_null_are_distinguished() {
        for outcome in [Outcome::Returned(None), Outcome::Returned(Some(Value::Null))] {
            let text = serde_json::to_string(&outcome).unwrap();
            assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), outcome, "{text}");
        }
    }
}
