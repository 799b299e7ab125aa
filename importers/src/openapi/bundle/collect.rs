//! Collection of the parts of other files that a document refers to.

mod find;
mod subtypes;

use std::collections::{HashMap, HashSet, VecDeque};

use super::files::Files;
use super::kinds::{Kind, Position};
use crate::ImportError;
use crate::openapi::document_error;
use crate::openapi::references::describe_missing;
use crate::reference::{Path, parse_fragment};
use crate::value::Value;
use find::{Found, find};

/// File by its index, and a path in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    pub file: usize,
    pub path: Path,
}

/// Part of another file that becomes a component.
pub struct Target {
    pub address: Address,
    pub kind: Kind,
    /// Component of the document that merely refers to it, and whose place it takes.
    pub home: Option<Path>,
}

/// Reference that cannot be followed.
pub struct Refusal {
    pub at: Address,
    pub problem: String,
}

/// Maximum length of a chain of references, and of schemas that extend each other.
const MAX_STEPS: usize = 32;

/// Collection in progress.
pub struct Collector<'o> {
    pub files: Files<'o>,
    /// Addresses of the references by file and text, or the reason why there is nothing.
    pub links: HashMap<(usize, String), Result<Address, String>>,
    /// Addresses of objects that are merely references, with their final targets.
    pub aliases: HashMap<Address, Address>,
    pub targets: Vec<Target>,
    /// Indices of the targets.
    pub index: HashMap<(Address, Kind), usize>,
    /// Visited parts, apart from the document as a whole.
    pub seen: HashSet<(Address, Position)>,
    pub refusals: Vec<Refusal>,
    open: VecDeque<(Address, Position)>,
}

impl<'o> Collector<'o> {
    /// Collects the parts that a document refers to, directly or indirectly.
    ///
    /// # Errors
    /// Returns an error if a file cannot be parsed.
    pub fn collect(files: Files<'o>) -> Result<Self, ImportError> {
        let mut this = Self {
            files,
            links: HashMap::new(),
            aliases: HashMap::new(),
            targets: Vec::new(),
            index: HashMap::new(),
            seen: HashSet::new(),
            refusals: Vec::new(),
            open: VecDeque::from([(Address { file: 0, path: Path::new() }, Position::One(Kind::Document))]),
        };
        for _ in 0..MAX_STEPS {
            this.follow_all()?;
            this.add_subtypes()?;
            if this.open.is_empty() {
                return Ok(this);
            }
        }
        Err(document_error("", "subtypes in other files lead to subtypes in further files too often"))
    }

    /// Returns the value at an address.
    pub fn value(&self, address: &Address) -> Option<&Value> {
        let file = self.files.parsed.get(address.file)?;
        address.path.iter().try_fold(&file.value, |value, segment| value.part(segment))
    }

    /// Follows the references of all parts.
    fn follow_all(&mut self) -> Result<(), ImportError> {
        while let Some((mut address, position)) = self.open.pop_front() {
            let mut found = Vec::new();
            let (file, start) = (address.file, address.clone());
            if let Some(value) = self.value(&start) {
                find(value, position, &mut address.path, &mut found);
            }
            for one in found {
                self.follow(file, &one)?;
            }
        }
        Ok(())
    }

    /// Follows a reference.
    fn follow(&mut self, file: usize, found: &Found) -> Result<(), ImportError> {
        let from = Address { file, path: found.path.clone() };
        if found.position == Position::Mapping {
            if self.named(file, &found.text).is_none() && is_reference(&found.text) {
                self.link(&from, &found.text)?;
            }
            if let Some(address) = self.mapped(file, &found.text) {
                self.add(address, Kind::Schema)?;
            }
            return Ok(());
        }
        let Some(Ok(address)) = self.link(&from, &found.text)? else { return Ok(()) };
        let is_own = file == 0 && found.is_alone;
        let Some((kind, section)) = found.position.component() else {
            if is_own && found.path.first().is_some_and(|key| key == "components") {
                self.claim(address.clone(), found.position, &found.path)?;
            }
            self.visit(address, found.position);
            return Ok(());
        };
        let index = self.add(address, kind)?;
        let is_component = matches!(&*found.path, [components, own, _] if components == "components" && own == section);
        if let Some(target) = index.and_then(|index| self.targets.get_mut(index))
            && is_own
            && is_component
        {
            target.home.get_or_insert_with(|| found.path.clone());
        }
        Ok(())
    }

    /// Gives the members of a part that contains the components of the document, or a section of them, their places.
    fn claim(&mut self, address: Address, position: Position, place: &[String]) -> Result<(), ImportError> {
        let address = self.follow_aliases(address)?;
        let Some(Value::Object(members)) = self.value(&address) else { return Ok(()) };
        for key in members.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>() {
            let join = |path: &[String]| path.iter().chain([&key]).cloned().collect::<Path>();
            let (member, place) = (Address { file: address.file, path: join(&address.path) }, join(place));
            match position.member(&key).component() {
                Some((kind, _)) if place.len() == 3 => {
                    let index = self.add(member, kind)?;
                    if let Some(target) = index.and_then(|index| self.targets.get_mut(index)) {
                        target.home.get_or_insert(place);
                    }
                }
                None if place.len() == 2 => self.claim(member, position.member(&key), &place)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds a part that a reference leads to; returns its index if it is in another file.
    fn add(&mut self, address: Address, kind: Kind) -> Result<Option<usize>, ImportError> {
        let address = self.follow_aliases(address)?;
        if address.file == 0 {
            self.visit(address, Position::One(kind));
            return Ok(None);
        }
        let (targets, key) = (&mut self.targets, (address.clone(), kind));
        let index = *self.index.entry(key).or_insert_with(|| {
            targets.push(Target { address: address.clone(), kind, home: None });
            targets.len() - 1
        });
        self.visit(address, Position::One(kind));
        Ok(Some(index))
    }

    /// Visits a part, once.
    fn visit(&mut self, address: Address, position: Position) {
        if self.seen.insert((address.clone(), position)) {
            self.open.push_back((address, position));
        }
    }

    /// Returns the target of an object in another file that is merely a reference, or the address itself.
    fn follow_aliases(&mut self, start: Address) -> Result<Address, ImportError> {
        if let Some(known) = self.aliases.get(&start) {
            return Ok(known.clone());
        }
        let mut address = start.clone();
        for _ in 0..MAX_STEPS {
            let text = match self.value(&address) {
                Some(Value::Object(members)) if address.file > 0 => match members.as_slice() {
                    [(key, Value::Text(text))] if key == "$ref" => text.clone(),
                    _ => break,
                },
                _ => break,
            };
            match self.link(&address, &text)? {
                // A cycle has no target.
                Some(Ok(next)) if next == start => address = start.clone(),
                Some(Ok(next)) => {
                    address = next;
                    continue;
                }
                _ => {}
            }
            break;
        }
        self.aliases.insert(start, address.clone());
        Ok(address)
    }

    /// Returns the address of a reference, or the reason why there is nothing; `None` if other files cannot be read.
    fn link(&mut self, from: &Address, text: &str) -> Result<Option<Result<Address, String>>, ImportError> {
        let key = (from.file, text.to_owned());
        if let Some(known) = self.links.get(&key) {
            return Ok(Some(known.clone()));
        }
        let (path, fragment) = text.split_once('#').unwrap_or((text, ""));
        let file = match path {
            "" => Ok(from.file),
            _ => match self.files.open(from.file, path)? {
                Some(file) => file,
                None => return Ok(None),
            },
        };
        let link = match file {
            Ok(file) => parse_fragment(fragment).and_then(|path| self.find(Address { file, path }, text)),
            Err(problem) => {
                self.refusals
                    .push(Refusal { at: from.clone(), problem: format!("`{}`: {problem}", text.escape_debug()) });
                Err(problem)
            }
        };
        self.links.insert(key, link.clone());
        Ok(Some(link))
    }

    /// Returns an address, or the message that there is nothing. The document itself is searched later.
    fn find(&self, address: Address, text: &str) -> Result<Address, String> {
        let mut value = self.files.parsed.get(address.file).map(|file| &file.value);
        for segment in address.path.iter().filter(|_| address.file > 0) {
            let next = value.and_then(|value| value.part(segment));
            if let (Some(value), None) = (value, next) {
                return Err(describe_missing(value, segment, text));
            }
            value = next;
        }
        Ok(address)
    }

    /// Returns the schema that an entry of a mapping refers to, or names in another file; `None` for any other name.
    pub fn mapped(&self, file: usize, text: &str) -> Option<Address> {
        match self.named(file, text) {
            Some(address) => Some(address).filter(|_| file > 0),
            None => self.links.get(&(file, text.to_owned()))?.clone().ok(),
        }
    }

    /// Returns the schema of a name in a mapping: one of the file, or else of the document.
    fn named(&self, file: usize, name: &str) -> Option<Address> {
        let path = ["components", "schemas", name].map(str::to_owned).to_vec();
        [file, 0].into_iter().map(|file| Address { file, path: path.clone() }).find(|one| self.value(one).is_some())
    }
}

/// Returns whether an entry of a mapping is a reference, and not a name.
fn is_reference(text: &str) -> bool {
    text.contains(['#', '/', '.'])
}
