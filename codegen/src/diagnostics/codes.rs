//! Diagnostic codes: one table of stable codes, titles and explanations.
//!
//! The reference page is written from this table, and each entry has a case under `tests/errors/`.

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Stops the generation.
    Error,
    /// Does not stop the generation.
    Warning,
}

macro_rules! codes {
    ($($name:ident $text:literal $severity:ident $title:literal $explanation:literal;)*) => {
        /// Diagnostic code, whose meaning never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            /// All codes, in the order of the reference page.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// Returns the code as printed, such as `E0106`.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// Returns a short title.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }

            /// Returns the explanation, and what to do about it.
            #[must_use]
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$name => $explanation,)* }
            }

            /// Returns the severity.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    YamlSyntax "E0101" Error "not YAML"
        "The file is not well-formed YAML 1.2. The caret stands where the reader gave up; the cause is often a line or two above it: a missing space after a colon, a tab in the indentation, an unclosed quote or bracket.";
    OneDocument "E0102" Error "not one document with a mapping"
        "A schema file holds exactly one YAML document, and that document is a mapping.";
    DuplicateKey "E0103" Error "a key written twice"
        "A mapping holds each key once. Other readers keep the last value in silence; here nothing is lost without a word.";
    YamlFeature "E0104" Error "a YAML feature that schemas do without"
        "Anchors, aliases, tags, merge keys, directives and keys that are not plain text are refused: they make a schema mean something that cannot be seen where it stands.";
    TooLarge "E0105" Error "too large or too deep"
        "A schema file has at most 32 MiB, two million values and 64 levels of nesting; an API has at most 65,535 operations.";
    UnknownKey "E0106" Error "an unknown key"
        "The key is not part of the language at this place. The reference page of the schema language lists the keys of every construct.";
    MissingKey "E0107" Error "a missing key"
        "The construct cannot be understood without this key.";
    WrongKind "E0108" Error "a value of the wrong kind"
        "A list stands where a mapping belongs, a mapping where a word belongs, or the like.";
    BadScalar "E0109" Error "a word or number that does not fit"
        "The value is read by the type its key expects: `true` or `false`, a whole number, one of the listed words.";
    BadType "E0110" Error "a type that cannot be read"
        "A type is a name (`string`, `Event`), a list of one type (`[Event]`) or a map from strings (`{string: Event}`); what is in a list or a map can be null (`[Event?]`).";
    BadRange "E0111" Error "a range that cannot be read, or is empty"
        "A range is a number (`26`), `5..=1024`, `5..` or `..=1024`; its lower end is not above its upper end.";
    BadHttp "E0112" Error "an http line that cannot be read"
        "The line is a method and a path template: `GET /calendars/{calendarId}/events`. The path starts with a slash; a variable fills a segment, alone or followed by `:verb`.";
    NoApi "E0201" Error "no api, or two"
        "Exactly one file of an API's folder says `api: NAME`, and the keys that describe the whole API stand beside it.";
    UnknownType "E0202" Error "an unknown type"
        "The name is neither one of the built-in types nor a resource or enum of this API.";
    DuplicateName "E0203" Error "a name defined twice"
        "Resources, enums, unions and operations have names of their own within an API, across all of its files.";
    NameCollision "E0204" Error "two names that become one"
        "Two names are different in the schema and equal in Rust. Give one of them another Rust name with `name:`.";
    BadName "E0205" Error "a name that cannot be used"
        "A name starts with a letter and has letters, digits and a few marks; what it cannot have in Rust it gets from `name:`.";
    Misplaced "E0206" Error "a constraint that does not apply"
        "The constraint has no meaning for the type of this member: a pattern for a number, a minimum for a string.";
    BadValue "E0207" Error "a value that does not fit its type"
        "A default, constant or known value is not one of the values that the member's type and constraints allow.";
    BadPattern "E0208" Error "a pattern that cannot be used"
        "The pattern is not a regular expression of the linear-time kind (no look-around, no back-references), or is far too large.";
    UnknownOperation "E0209" Error "an unknown operation"
        "The name is not an operation of this API.";
    UnknownMember "E0210" Error "an unknown field or parameter"
        "The name is not a field of the resource, or not a parameter of the operation, that is spoken of.";
    PathMismatch "E0211" Error "a path and its parameters disagree"
        "Every variable of the path template is declared under `path:`, and every parameter declared there occurs in the template.";
    UnknownScope "E0212" Error "an unknown scope"
        "The name is not a scope that the API declares.";
    BadOutcome "E0213" Error "an outcome that cannot be built"
        "A resource with `outcome:` has exactly three fields: one boolean, one success and one failure, each of a resource type.";
    RouteConflict "E0214" Error "two operations at one address"
        "Two operations have the same method and the same path but for the names of its variables, or paths such as `/a-{x}` and `/{x}-a`, which one request can be for and which fix as much as each other.";
    AliasConflict "E0215" Error "an alias that means two things"
        "An alias equals another name, or another alias, at the same place.";
    BadParameter "E0216" Error "a parameter that cannot be sent"
        "A parameter is a scalar, an enum, or a list of those where it is no cookie; in the query a list can have `style: space` or `style: pipe`, and it can be a resource with `style: deep`, or anything with `style: json`; resources and maps of scalars stand in any place but a cookie with `style: pairs` and its like; a path parameter is always required.";
    BadBehavior "E0217" Error "behaviours that contradict each other"
        "A member cannot be, for example, output-only and required, or input-only and output-only.";
    BadRule "E0218" Error "a rule that cannot be used"
        "A rule has an id of its own within the API, a condition, and a message.";
    BadStates "E0219" Error "a state table that does not fit"
        "The states are the values of the field's enum; a transition goes from one of them, or from `any`, to one of them.";
    EmptyEnum "E0220" Error "an enum without values"
        "An enum has at least one value.";
    BadStatus "E0221" Error "a status that is not one"
        "A status is a number from 100 to 599; an error is 400 or above, a success below.";
    BadBody "E0222" Error "a body or answer that cannot be sent"
        "A HEAD has no body; a merge patch has a resource; one status has one answer.";
    BadPaging "E0223" Error "paging or synchronisation that does not fit"
        "`pages` and `sync` name parameters of the operation and members of its answer, of the types they need.";
    Reserved "E0224" Error "a construct that is reserved"
        "The construct is part of the language and of the model, and no emitter takes it yet.";
    CelSyntax "E0225" Error "a condition that cannot be read"
        "The condition is not an expression of CEL, the Common Expression Language. The page of conditions says what can be written.";
    CelUnsupported "E0226" Error "a part of CEL that conditions do without"
        "The expression is CEL and has no meaning in a schema: conditions become straight-line code, and what could not is left out. The page of conditions lists every such part.";
    CelUnknownName "E0227" Error "an unknown name in a condition"
        "The name is neither a member of the resource that it is read from, nor a parameter of the operation, nor a function, nor one of `this`, `params`, `body` and `old` as far as they have a meaning there.";
    CelType "E0228" Error "types in a condition that do not fit"
        "Like is compared with like, and a function takes arguments of its types. A whole number that is written out adapts to what it stands beside; everything else is converted: `int(x)`, `double(x)`, `string(x)`.";
    CelAbsent "E0229" Error "a member that may be absent in a condition"
        "A member can be read where it is there for certain: it is required in every operation in which the condition holds, has a default, is a list or a map, or `has()` was asked before, through `&&`, `||`, `!` or `?:`.";
    CelValue "E0230" Error "a value in a condition that does not exist"
        "A text beside a value of an enum is one of its values, and a date, a point in time or a duration that is written out is one.";
    CelTooLarge "E0231" Error "a condition that is too long or too deep"
        "A condition has at most 4096 bytes, 24 levels of brackets and 64 levels in all.";
    NamePattern "E0232" Error "a pattern that no path can be found by"
        "A variable that may hold slashes, `{+name}`, has the segments that its pattern says, and a server finds the operation by them: fixed words, `[^/]+` or another form without slashes for one segment, and once at the most `.*` for one segment or more. Without a pattern it takes one segment or more. One variable of a path at the most can be of any length.";
    BadMedia "E0233" Error "media that cannot be sent"
        "Media go up with a POST, PUT or PATCH, at a path that `simple` or `resumable` names.";
    BadAddress "E0234" Error "an address that cannot be used"
        "`root`, `mtls_root` and the addresses of `endpoints` begin with `https://` or `http://` and a host; a path may follow, a query not. Endpoints stand in for the root, so there is one.";
    BadSecurity "E0235" Error "security that does not fit"
        "A security scheme has the keys of its type, and what names one names one that there is; a request has one header `Authorization`; an operation says `security`, or `scopes` and `api_key`.";
    BadUnion "E0236" Error "a union that cannot be built"
        "A union has variants, none of which is the union itself. Beside a `discriminator` each is a resource, and one that has that member itself can hold the name of the variant there. Without one no two variants hold the same.";
    BadLongRunning "E0240" Error "work that cannot be asked for"
        "A resource with `long_running:` names fields of its own, and an operation that reads it by its name and changes nothing; each parameter that the reading requires is a field of the answer or a parameter of the operation that starts the work.";
    BadFeatures "E0241" Error "features of nothing"
        "Groups of operations can be left out of the crates with `features: groups`, and an API whose operations are in no group has none.";
    BadSet "E0242" Error "sets that contradict each other"
        "A set can include others, and never itself. Where two sets of an operation have an error of one status, they say the same of it; otherwise the operation says it itself, in place of both. A rule of one id is the same in all sets.";
    BadInclude "E0243" Error "a file that cannot be included"
        "A path under `include:` leads from the file it stands in to a YAML file that is there, and is none of the API's own folder, which belong to it anyway.";
    BadXml "E0244" Error "what cannot stand in XML"
        "An attribute, and the text of an element, is one text, number, boolean or value of an enum, and never null; `wrapped` is for lists, and needed where a list tells empty or null apart from absent; a namespace is a URI of up to 1024 bytes, and a prefix stands for one; `xml` of a body is for one that can be XML; no two members of a resource are the same element or attribute.";
    BadRole "E0245" Error "a role that a parameter cannot have"
        "A role says what clients and servers know a parameter of the query as, whatever its name. Only parameters that every operation takes have one, each role but `access_token` one parameter; its type holds the values of the role. Media that are uploaded in pieces need a parameter with the role `upload_type`, media that are downloaded one with `format`, and operations that an API key is enough for one with `api_key`.";
    BadProfile "E0246" Error "a profile that cannot be used"
        "An API has one `profile`. Its reasons are those of statuses from 400 to 599, of the classes `4XX` and `5XX`, and of cases; the statuses of `rate_limits` are of the same range, and `request_ids` are names of headers.";
    Internal "E0901" Error "an internal error"
        "The generator has come to a point that no schema should lead to: what it has read cannot be written as code. Nothing is generated, so that no code checks something else than the schema says. Please report it with the lines of the schema that the message names.";
    Unused "W0301" Warning "an unused definition"
        "Nothing refers to the definition. Remove it, or mark it `external: true` when it is used from outside the schema.";
    MissingDoc "W0302" Warning "a definition without a description"
        "Descriptions become the documentation of the generated crates; write one good sentence.";
    DeprecatedUse "W0303" Warning "something deprecated in use"
        "A definition that is not deprecated uses one that is.";
    CelSquare "W0304" Warning "a condition that takes the square of its input"
        "A loop within a loop over another list, or a search through a list of what cannot be looked up, takes time in proportion to the product of both, which whoever sends a long list can make last. `unique()` and `in` do what such loops are for, in proportion to the sum.";
    HiddenVariant "W0305" Warning "a variant that no value is read as"
        "The shape of a value tells the variant of a union without a `discriminator`, and all that could be seen of the values of this variant fits an earlier one.";
    AmbiguousPath "W0306" Warning "a path that can be two operations"
        "A path fits two operations of one method, such as `/x/x` does `/{a}/x` and `/x/{a}`, and neither of them is a special case of the other. A server takes the one that fixes more in the first segment in which they differ; OpenAPI calls such paths ambiguous, and other tools choose as they like. The same holds where the path of media or of batches is one of an operation: that comes first.";
    OpenOperation "W0307" Warning "an operation that anybody can call"
        "The operation says neither `scopes` nor `security`, and other operations of the API do. A server lets everybody call it. Say what a request has to show, or `security: none` if it is public on purpose.";
    WholePatch "W0308" Warning "a PATCH whose body is a whole resource"
        "A PATCH changes a part of a resource. The body of this one is the resource as other operations send or answer it, so that a member that is left out, one that stays as it is and one that goes away are the same. `as: merge_patch` tells them apart; `as: whole` says that the resource is replaced.";
    ColonSegment "W0309" Warning "a path segment that begins with a colon"
        "Variables stand between braces, `/books/{id}`; a colon begins a verb behind a segment, `/books:search`. A segment that is nothing but a colon and a word is fixed text.";
    Endless "W0310" Warning "a resource that requires itself"
        "The resource requires a member that holds the resource again, directly or through members that others require, so that no finite value has them all. A member that can be absent or null, or a list that can be empty, ends the circle.";
    ConstantCondition "W0311" Warning "a condition that is always the same"
        "The condition holds for every value, so that it checks nothing, or for none, so that nothing is let through. It asks for what is always there, such as a required parameter, or compares something with itself.";
    ClearedRequired "W0312" Warning "a required member that a patch can remove"
        "The member is required in some operations, and a merge patch can remove it with null, so that what is stored lacks it. Name the operation of the patch under `in` as well: then the patch may leave the member out, and null is refused. A rule that holds there and needs the member does the same, and `clearable: true` says that it may go.";
    LonelyGroup "W0313" Warning "a group that looks misspelt"
        "The words before the last dot of an operation's name are its group, and each group is a type in the crates. This one has a single operation, differs from another group in one letter, and its path is one of that group.";
    IncompleteError "W0314" Warning "an error body that a server leaves incomplete"
        "A server writes the members of error bodies that the keys of `errors` lead to, and constants. What a body must have beside those is missing in every error.";
    UnusedAllow "W0315" Warning "an allowed warning that is not given"
        "A definition allows a warning with `allow`, and gives no occasion for it. Remove the code: if the occasion comes back, the warning should too.";
    UnreadEtag "W0316" Warning "a write on a condition that no read tells of"
        "The operation takes `If-Match`, and the read at the same path has no `if_none_match`, so that its answer need not have an ETag, and a client has neither `update_with` nor `patch_with`: read, change, write.";
    IdleOverride "W0317" Warning "an override that changes nothing"
        "What stands here says the same as what is there without it: the shared parameter, an error or a rule of a set, or the origin around it. Remove it, so that a change of what is shared reaches this place too.";
}
