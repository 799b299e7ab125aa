//! Parser of the Markdown that the documents use: headings, paragraphs of one line, tables.

/// Contents below a heading, up to the next one of any level.
#[derive(Debug, Default)]
pub struct Section {
    pub title: String,
    /// Number of `#` before the title.
    pub level: usize,
    pub lines: Vec<String>,
    pub tables: Vec<Table>,
}

#[derive(Debug, Default)]
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns the index of the column with a heading.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|cell| cell == name)
    }

    pub fn starts_with(&self, name: &str) -> bool {
        self.header.first().is_some_and(|cell| cell == name)
    }
}

pub fn parse(text: &str) -> Vec<Section> {
    let mut sections = vec![Section::default()];
    let mut in_table = false;
    for line in text.lines().map(str::trim) {
        if let Some((level, title)) = heading(line) {
            sections.push(Section { title: title.into(), level, ..Section::default() });
        }
        let Some(section) = sections.last_mut() else { continue };
        if line.starts_with('|') {
            row(section, line, in_table);
            in_table = true;
            continue;
        }
        in_table = false;
        if !line.is_empty() && heading(line).is_none() {
            section.lines.push(line.into());
        }
    }
    sections
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    (level > 0).then(|| (level, title.trim()))
}

fn row(section: &mut Section, line: &str, in_table: bool) {
    let cells: Vec<String> = line.trim_matches('|').split('|').map(|cell| cell.trim().into()).collect();
    if !in_table {
        section.tables.push(Table { header: cells, rows: Vec::new() });
    } else if !cells.iter().all(|cell| cell.chars().all(|c| c == '-'))
        && let Some(table) = section.tables.last_mut()
    {
        table.rows.push(cells);
    }
}
