use proc_macro2::TokenStream;

use super::write;

/// Items in which `N` is a name that grows from a letter to more than a line, so that everything is broken somewhere.
const ITEMS: [&str; 38] = [
    "/// Says `N` and \"so\" \\ on.\n#[derive(Clone, Default, PartialEq)]\npub struct N { pub(crate) a: Option<N>, pub b: Vec<(u8, &'static N)>, }",
    "#[doc = \" Trailing  \"] #[must_use] pub struct S(pub N, pub(crate) [u8; 4]);",
    "#[deprecated(note = \"use `N`\")] #[cfg(all(feature = \"N\", not(test)))] pub struct S;",
    "#[non_exhaustive] pub enum N { #[default] A, B(crate::N), C(u8, N), D = 4 }",
    "pub enum N {}",
    "impl ::runtime::Object for N {}",
    "impl<'a, T: Send + Sync> ::runtime::Object<'a> for N<T> { const A: &'static [&'static str] = &[\"N\", \"b\"]; type B = N; type C = Vec<N>; }",
    "impl N { pub fn with_n(mut self, value: impl Into<N>) -> Self { self.n = Some(value.into()); self } }",
    "impl N { fn a(&self) {} fn b<'de, A: Map<'de>>(&mut self, N: usize) -> Result<(), A::Error> { self.b(N) } }",
    "pub trait N: Send + 'static { const A: u8; type B: Send + N; fn a(&self, N: u8) -> impl Future<Output = Result<N>> + Send; fn b(&self) { self.N() } }",
    "pub const fn N(a: u16) -> Option<&'static N> { if a < N.len() { Some(N[a]) } else { None } }",
    "pub async fn f(&self, N: [u8; 3], (a, b): (u8, N)) -> Box<dyn Fn(N) -> u8> { N(a).await?.b }",
    "pub static N: &[(&str, u8)] = &[(\"N\", 1), (\"b\", 2)];",
    "const A: &[u8] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, N_1, b'\\n'];",
    "const A: &[(u8, u8)] = &[(b'x', 1)]; const B: &[u8] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];",
    "const A: N = N::of::<crate::N>().holding(&[(1, fields::Inner::Shape(&crate::N))]).b();",
    "const A: &[u8] = <crate::N as ::runtime::Object>::MEMBERS;",
    "const A: Op = Op { name: \"N\", b: None, c: &[], d: -1.5, e: !true };",
    "fn f() -> N { N { a, b: N, c: self.call(requests::N::new(a)), ..Default::default() } }",
    "fn f() { let index = match (name.len(), name) { (4, \"N\") => 0, (5, N) | (6, _) => 1, _ => return None, }; Some(index) }",
    "fn f() { match N { 0 => ::runtime::member(map, &mut self.N), 1 => { a.b(N); c } 2 => {} 3 => { N } A::B(c) if c == N => c, A { b, c: N, .. } => self.N(b)?, _ => b = N, } }",
    "fn f() { let mut members = ::runtime::Members::new(N); members.member(\"N\", &self.N); members.finish() }",
    "fn f() { if let Some(N) = &self.N { a.b(N); } if self.N() && !b { c(); } else if d == N || e { f(); } else { g() } }",
    "fn f() { if a { b } else { N } }",
    "fn f() { a.b(|N| N.c()).d(|a, b| (a, N)).e(|_| { N(); b }).f(|c: N| d(c)).map(N::into).collect::<Vec<N>>() }",
    "fn f() { Box::pin(async move { let (a, b) = c.receive(&Rules, N)?; N(a, b).await?; Ok(()) }) }",
    "fn f() { async { Err(::server::Error::not_implemented(\"N\")) } }",
    "fn f() { self.N.as_deref().unwrap_or(\"N\") }",
    "fn f() { x.a(N) } fn g() { self.a.b(N)?; name.a(N).b }",
    "fn f() { a + b * c - N == d && (e || N) && -f != *g }",
    "fn f() { return N; } fn g() { return } fn h() { (N, a) } fn i() { (N,) } fn j() { [N, a] } fn k() { (N) }",
    "fn f() { value.into_iter().map(|(key, value)| (key.into(), N::standard(value))).collect() }",
    "fn f(a: &mut N, b: &'a [N]) -> (N, u8) { move || N }",
    "pub mod r#type; pub(crate) mod N;",
    "pub use self::N; use ::a::{N}; use a::{b, c::{d, N}, e as f, g::*}; pub type N<T> = Result<T, N>;",
    "#[allow(unused_imports)] use crate::{Aaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbb, Cccccccccccccccccc, N};",
    "::runtime::object!(N); ::runtime::merge!(N => NPatch { a, b, }); ::client::call!(N, requests::N, a, b); a::b!();",
    "impl A { ::validation::facts!(sources::N, types::N); }",
];

/// What only a parser can tell, or what does not occur often enough.
const OTHERS: [&str; 10] = [
    "fn f() { loop { a() } }",
    "fn f<T>() where T: Send {}",
    "fn f() { a as u8 }",
    "macro_rules! a { () => {}; }",
    "const A: &str = r#\"raw\"#;",
    "#[doc = \"two\\nlines\"] struct S;",
    "pub mod a { #![allow(x)] }",
    "fn f() { for a in b {} }",
    "const A: f64 = 1e-5;",
    "const A: &[f64] = &[2.5E+3, 1.0];",
];

fn formatted(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

#[test]
fn items_are_written_as_the_formatter_writes_them() {
    let mut wrong = Vec::new();
    for item in ITEMS {
        for length in 1..130 {
            let tokens: TokenStream = item.replace('N', &"n".repeat(length)).parse().unwrap();
            let mut text = String::new();
            let known = write("", &tokens.to_string(), &mut text);
            if !known || text != formatted(tokens.clone()) {
                wrong.push(format!("a name of {length} letters in {item}:\n{text}instead of\n{}", formatted(tokens)));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_rest_is_left_to_the_formatter() {
    for item in OTHERS {
        let tokens: TokenStream = item.parse().unwrap();
        let mut text = String::new();
        assert!(!write("", &tokens.to_string(), &mut text), "{item}");
        assert_eq!(text, "", "{item}");
    }
}
