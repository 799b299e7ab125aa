//! Every document once: the total cost of all, and the most expensive ones.

use std::path::{Path, PathBuf};

use wireform_rounds::Seconds;

use crate::discovery::documents;
use crate::place;
use crate::tool::Tool;

/// Maximum number of failed documents that are listed.
const SHOWN: usize = 20;

/// Total cost of the documents in seconds and bytes.
#[derive(Default)]
struct Sum {
    imported: f64,
    generated: f64,
    slowest: (f64, String),
    peak: (u64, String),
    refused: Vec<String>,
}

/// Imports and generates one document after the other, each in two processes of its own, and prints the sums.
pub fn run(tool: &Tool, documents: &[PathBuf], scratch: &Path) -> anyhow::Result<()> {
    let mut sum = Sum::default();
    for document in documents {
        sum.add(tool, document, scratch)?;
    }
    let size = documents::size(documents)? as f64 / 1e6;
    println!("all {} documents, {size:.1} MB, one after the other", documents.len());
    println!("  imported in {}, generated in {}", Seconds(sum.imported), Seconds(sum.generated));
    println!("  the slowest: {} in {}", sum.slowest.1, Seconds(sum.slowest.0));
    println!("  the greatest peak of memory: {} MiB, of {}", sum.peak.0 >> 20, sum.peak.1);
    println!("  refused: {}", sum.refused.len());
    sum.refused.iter().take(SHOWN).for_each(|line| println!("    {line}"));
    println!();
    Ok(())
}

impl Sum {
    fn add(&mut self, tool: &Tool, document: &PathBuf, scratch: &Path) -> anyhow::Result<()> {
        let (schemas, out) = (scratch.join("all"), scratch.join("all-out"));
        place::remove(&schemas)?;
        place::remove(&out)?;
        let name = document.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let both = tool
            .import(std::slice::from_ref(document), &schemas)
            .and_then(|imported| Ok((imported, tool.generate(&schemas, &out)?)));
        match both {
            Ok((imported, generated)) => {
                self.imported += imported.wall;
                self.generated += generated.wall;
                let (wall, peak) = (imported.wall + generated.wall, imported.peak.max(generated.peak));
                if wall > self.slowest.0 {
                    self.slowest = (wall, name.clone());
                }
                if peak > self.peak.0 {
                    self.peak = (peak, name);
                }
            }
            Err(error) => {
                let text = format!("{error:#}");
                let message = text.lines().find(|line| line.starts_with("error")).unwrap_or_default();
                self.refused.push(format!("{name}: {message}"));
            }
        }
        Ok(())
    }
}
