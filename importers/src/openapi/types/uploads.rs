//! Files, which are allowed only as parts of forms.

use wireform_codegen::schema::types::TypeExpr;

use crate::lowering::DefinitionPath;
use crate::node::Node;
use crate::openapi::form::Form;
use crate::openapi::importer::{Files, Importer};
use crate::openapi::scalars;
use crate::openapi::view::{View, expanded};

/// Returns whether a type contains files.
pub fn is_file(ty: &TypeExpr) -> bool {
    ty.innermost_name() == "file"
}

/// Replaces the files in a type by texts.
pub fn replace_files(mut ty: TypeExpr) -> TypeExpr {
    let mut inner = &mut ty;
    while let TypeExpr::List(held, _) | TypeExpr::Map(held, _) = inner {
        inner = held;
    }
    if let TypeExpr::Name(name) | TypeExpr::Nullable(name) = inner
        && name.text == "file"
    {
        name.text = "string".to_owned();
    }
    ty
}

/// Removes null from a part of a form: a part is present or absent.
pub fn remove_null(form: &mut Form<'_>, node: &Node<'_>) {
    if form.nullable && form.is("file") {
        node.loss("null is left out: files in a list cannot be null");
        form.nullable = false;
    }
}

/// Reports a file with alternatives of other types: it is not imported as a file, since a variant of a union cannot be
/// one.
pub fn report_file_variant<'d>(importer: &mut Importer<'d>, whole: &View<'d>, node: &Node<'d>) {
    if importer.files == Files::Here {
        importer.files = Files::None;
        if scalars::is_binary(whole) {
            node.loss("the file becomes `string`: unions of files and other types are not supported");
        }
    }
}

/// Returns the type of a member that can be a file: one or several files, and nothing else; `None` if no alternative is
/// a file.
pub fn one_of<'d>(importer: &mut Importer<'d>, whole: &View<'d>, place: &DefinitionPath) -> Option<Form<'d>> {
    if importer.files != Files::Here {
        return None;
    }
    let list = whole.alternatives.first().filter(|_| whole.alternatives.len() == 1).cloned().unwrap_or_default();
    let is_binary = |nodes: &[Node<'d>]| !nodes.is_empty() && scalars::is_binary(&expanded(&importer.root, nodes));
    let of = |node: &Node<'d>| {
        let is_list = is_binary(&expanded(&importer.root, std::slice::from_ref(node)).items);
        (is_list || is_binary(std::slice::from_ref(node))).then_some(is_list)
    };
    let kinds: Vec<Option<bool>> = list.iter().map(of).collect();
    let index = |kind: bool| kinds.iter().position(|found| *found == Some(kind));
    let Some(chosen) = index(true).or_else(|| index(false)) else {
        // Contents of other alternatives are not parts of the form.
        importer.files = Files::None;
        return None;
    };
    for (_, (node, kind)) in list.iter().zip(&kinds).enumerate().filter(|(index, _)| *index != chosen) {
        match kind {
            Some(_) => node.whole_note("left out: a single file is sent like a list of one file"),
            None => node.whole_loss("left out: unions of files and other types are not supported"),
        }
    }
    list.get(chosen).map(|node| super::form(importer, std::slice::from_ref(node), place, 0))
}
