//! Inlining: names that are used only once are replaced by their values, as in code written by hand.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

/// Binds a location to `at` if the checks use it more than once; otherwise inlines it.
///
/// A loop in the checks would capture the variable of an enclosing loop, so a location before such a loop keeps its
/// name too.
pub fn bind_location(place: &TokenStream, checks: &TokenStream) -> TokenStream {
    let is_of_loop = ["index", "key"].iter().any(|name| count_uses(place, name) > 0);
    match count_uses(checks, "at") {
        1 if !(is_of_loop && count_uses(checks, "for") > 0) => replace(checks, "at", &|_, _| (false, place.clone())),
        _ => quote! { let at = #place; #checks },
    }
}

/// Binds a borrowed place to `value` if the checks use it more than once; otherwise inlines it.
pub fn bind_value(place: &TokenStream, checks: &TokenStream) -> TokenStream {
    if count_uses(checks, "value") != 1 {
        return quote! { let value = &#place; #checks };
    }
    replace(checks, "value", &|before, after| match (before, after) {
        (Some('*'), _) => (true, place.clone()),
        (_, Some('.')) => (false, place.clone()),
        _ => (false, quote!(&#place)),
    })
}

/// Replaces a variable in code.
pub fn replace_variable(code: &TokenStream, name: &str, by: &TokenStream) -> TokenStream {
    replace(code, name, &|_, _| (false, by.clone()))
}

/// Puts checks into an `if`. An inner `if` is merged with it.
pub fn wrap_in_if(condition: &TokenStream, checks: &TokenStream) -> TokenStream {
    let Some((inner, body)) = split_if(checks) else { return quote! { if #condition { #checks } } };
    let (condition, inner) = (operand(condition), operand(&inner));
    quote! { if #condition && #inner #body }
}

/// Returns the condition and the block, if the code is a single `if` without `else`.
fn split_if(code: &TokenStream) -> Option<(TokenStream, TokenTree)> {
    let mut tokens: Vec<TokenTree> = code.clone().into_iter().collect();
    let is_block = |token: &TokenTree| matches!(token, TokenTree::Group(it) if it.delimiter() == Delimiter::Brace);
    let begins = matches!(tokens.first(), Some(TokenTree::Ident(word)) if word == "if");
    if !begins || tokens.iter().position(is_block)? + 1 != tokens.len() {
        return None;
    }
    let body = tokens.pop()?;
    Some((tokens.into_iter().skip(1).collect(), body))
}

/// Returns a condition as an operand of `&&`, in parentheses if it contains `||`.
fn operand(condition: &TokenStream) -> TokenStream {
    let mut before = None;
    for token in condition.clone() {
        let now = sign(&token);
        if now == Some('|') && before == now {
            return quote!((#condition));
        }
        before = now;
    }
    condition.clone()
}

/// Returns statements as one, in a block if they bind names.
pub fn wrap_in_block(statements: TokenStream) -> TokenStream {
    let mut begins = true;
    for token in statements.clone() {
        match &token {
            TokenTree::Ident(word) if begins && word == "let" => return quote! {{ #statements }},
            TokenTree::Punct(sign) => begins = sign.as_char() == ';',
            TokenTree::Group(group) => begins = group.delimiter() == Delimiter::Brace,
            _ => begins = false,
        }
    }
    statements
}

/// Counts the uses of a variable; methods and fields of that name do not count.
fn count_uses(tokens: &TokenStream, name: &str) -> usize {
    let mut before = None;
    let mut found = 0;
    for token in tokens.clone() {
        found += match &token {
            TokenTree::Ident(word) => usize::from(word == name && !matches!(before, Some('.' | ':'))),
            TokenTree::Group(group) => count_uses(&group.stream(), name),
            _ => 0,
        };
        before = sign(&token);
    }
    found
}

/// Replaces a variable. The replacement depends on the tokens before and after the name, and may replace the
/// preceding token too.
fn replace(
    tokens: &TokenStream,
    name: &str,
    by: &dyn Fn(Option<char>, Option<char>) -> (bool, TokenStream),
) -> TokenStream {
    let mut made: Vec<TokenTree> = Vec::new();
    let mut left = tokens.clone().into_iter().peekable();
    while let Some(token) = left.next() {
        let before = made.last().and_then(sign);
        match token {
            TokenTree::Ident(word) if word == name && !matches!(before, Some('.' | ':')) => {
                let (takes_sign, instead) = by(before, left.peek().and_then(sign));
                if takes_sign {
                    made.pop();
                }
                made.extend(instead);
            }
            TokenTree::Group(group) => {
                let mut replaced = Group::new(group.delimiter(), replace(&group.stream(), name, by));
                replaced.set_span(group.span());
                made.push(replaced.into());
            }
            other => made.push(other),
        }
    }
    made.into_iter().collect()
}

/// Returns the character of a punctuation token; `None` for other tokens.
fn sign(token: &TokenTree) -> Option<char> {
    match token {
        TokenTree::Punct(sign) => Some(sign.as_char()),
        _ => None,
    }
}
