//! Parser of patterns in the dialect of RE2: Perl classes are ASCII.

use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{
    Assertion, AssertionKind, Ast, ClassBracketed, ClassPerl, ClassPerlKind, ClassSet, ClassSetItem, Flag, Flags,
    FlagsItem, FlagsItemKind, Group, GroupKind,
};
use regex_syntax::hir::Hir;
use regex_syntax::hir::translate::Translator;

use super::PatternError;

/// Maximum nesting depth; later stages recurse as deeply.
const MAX_NESTED: u32 = 50;

/// Parses a pattern.
pub fn parse(pattern: &str) -> Result<Hir, PatternError> {
    let mut parser = ParserBuilder::new().nest_limit(MAX_NESTED).build();
    let mut ast = parser.parse(pattern).map_err(|error| PatternError::Syntax(error.kind().to_string()))?;
    to_ascii(&mut ast);
    Translator::new().translate(pattern, &ast).map_err(|error| PatternError::Syntax(error.kind().to_string()))
}

/// Narrows `\d`, `\w`, `\s` and `\b` to ASCII.
fn to_ascii(ast: &mut Ast) {
    match ast {
        Ast::ClassPerl(perl) => {
            if let Some(class) = ascii_class(perl) {
                *ast = Ast::class_bracketed(class);
            }
        }
        Ast::ClassBracketed(class) => set_to_ascii(&mut class.kind),
        Ast::Assertion(assertion) if is_about_words(&assertion.kind) => *ast = ascii_assertion(assertion),
        Ast::Repetition(repetition) => to_ascii(&mut repetition.ast),
        Ast::Group(group) => to_ascii(&mut group.ast),
        Ast::Alternation(alternation) => alternation.asts.iter_mut().for_each(to_ascii),
        Ast::Concat(concat) => concat.asts.iter_mut().for_each(to_ascii),
        _ => {}
    }
}

fn set_to_ascii(set: &mut ClassSet) {
    match set {
        ClassSet::Item(item) => item_to_ascii(item),
        ClassSet::BinaryOp(operation) => {
            set_to_ascii(&mut operation.lhs);
            set_to_ascii(&mut operation.rhs);
        }
    }
}

fn item_to_ascii(item: &mut ClassSetItem) {
    match item {
        ClassSetItem::Perl(perl) => {
            if let Some(class) = ascii_class(perl) {
                *item = ClassSetItem::Bracketed(Box::new(class));
            }
        }
        ClassSetItem::Bracketed(class) => set_to_ascii(&mut class.kind),
        ClassSetItem::Union(union) => union.items.iter_mut().for_each(item_to_ascii),
        _ => {}
    }
}

/// Returns the class of RE2 with that name. The texts are constant and valid.
fn ascii_class(perl: &ClassPerl) -> Option<ClassBracketed> {
    let text = match (&perl.kind, perl.negated) {
        (ClassPerlKind::Digit, false) => "[0-9]",
        (ClassPerlKind::Digit, true) => "[^0-9]",
        (ClassPerlKind::Space, false) => r"[\t\n\f\r ]",
        (ClassPerlKind::Space, true) => r"[^\t\n\f\r ]",
        (ClassPerlKind::Word, false) => "[0-9A-Za-z_]",
        (ClassPerlKind::Word, true) => "[^0-9A-Za-z_]",
    };
    match ParserBuilder::new().build().parse(text) {
        Ok(Ast::ClassBracketed(ref class)) => Some((**class).clone()),
        _ => None,
    }
}

const fn is_about_words(kind: &AssertionKind) -> bool {
    !matches!(
        kind,
        AssertionKind::StartLine | AssertionKind::EndLine | AssertionKind::StartText | AssertionKind::EndText
    )
}

/// Returns `(?-u:\b)`.
fn ascii_assertion(assertion: &Assertion) -> Ast {
    let span = assertion.span;
    let item = |kind| FlagsItem { span, kind };
    let items = vec![item(FlagsItemKind::Negation), item(FlagsItemKind::Flag(Flag::Unicode))];
    let kind = GroupKind::NonCapturing(Flags { span, items });
    Ast::group(Group { span, kind, ast: Box::new(Ast::assertion(assertion.clone())) })
}
