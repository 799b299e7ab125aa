//! Diagnostic codes: one table of stable codes, titles and explanations.
//!
//! The reference page is written from this table, and each entry except the internal error has a case under
//! `tests/errors/`.

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
    YamlSyntax "E0101" Error "invalid YAML"
        "The file is not well-formed YAML 1.2. The caret shows where the parser stopped; the cause is often a line or two above it: a missing space after a colon, a tab in the indentation, an unclosed quote or bracket.";
    OneDocument "E0102" Error "not a single document with a mapping"
        "A schema file must hold exactly one YAML document, and that document must be a mapping.";
    DuplicateKey "E0103" Error "a duplicate key"
        "A mapping must contain each key only once. Other parsers silently keep the last value; this one rejects the file.";
    YamlFeature "E0104" Error "an unsupported YAML feature"
        "Anchors, aliases, tags, merge keys, directives and keys that are not plain scalars are rejected: they give a schema a meaning that is not visible where it is used.";
    TooLarge "E0105" Error "too large or too deep"
        "A schema file can have at most 32 MiB, two million values and 64 levels of nesting; an API can have at most 65,535 operations.";
    UnknownKey "E0106" Error "an unknown key"
        "The schema language has no such key in this construct. The reference page of the schema language lists the keys of every construct.";
    MissingKey "E0107" Error "a missing key"
        "The key is required in this construct.";
    WrongKind "E0108" Error "a value of the wrong kind"
        "A value is a list where a mapping is expected, a mapping where a scalar is expected, or the like.";
    BadScalar "E0109" Error "an invalid scalar"
        "The value is parsed according to the type of its key: `true` or `false`, an integer, one of the listed keywords.";
    BadType "E0110" Error "an invalid type"
        "A type is a name (`string`, `Event`), a list of one type (`[Event]`) or a map from strings (`{string: Event}`). A question mark makes the elements of a list or map nullable (`[Event?]`).";
    BadRange "E0111" Error "an invalid or empty range"
        "A range is a number (`26`), `5..=1024`, `5..` or `..=1024`; its lower bound must not be above its upper bound.";
    BadHttp "E0112" Error "an invalid `http` line"
        "The line must be a method and a path template: `GET /calendars/{calendarId}/events`. The path must start with a slash; a variable fills a segment, alone or followed by `:verb`.";
    NoApi "E0201" Error "no `api`, or more than one"
        "Exactly one file in the folder of an API must have `api: NAME`, and the keys that describe the whole API must be in that file.";
    UnknownType "E0202" Error "an unknown type"
        "The name is neither a built-in type nor a resource, enum or union of this API.";
    DuplicateName "E0203" Error "a name defined twice"
        "The names of resources, enums, unions and operations must be unique within an API, across all of its files.";
    NameCollision "E0204" Error "two names with the same Rust name"
        "Two names differ in the schema and are equal in Rust. Give one of them another Rust name with `name:`.";
    BadName "E0205" Error "an invalid name"
        "A name that becomes a Rust name must have at most 128 bytes of printable ASCII, and at least one letter or digit; a leading digit is allowed. Where the wire name is different, add a Rust name with `name:`. The name of an API, `api`, is stricter: up to 48 lower-case letters and digits, with single hyphens between them, starting with a letter. An invalid option or setting, such as the prefix of the crates, has this code too.";
    Misplaced "E0206" Error "a constraint that does not apply"
        "The constraint has no meaning for the type of this field, such as a pattern for a number or a minimum for a string.";
    BadValue "E0207" Error "a value that does not match its type"
        "A default, constant or known value does not satisfy the type and the constraints of the field.";
    BadPattern "E0208" Error "an unsupported pattern"
        "The pattern is not a regular expression that can be matched in linear time (no back-references, and look-around only next to text of a fixed length), or it is too large.";
    UnknownOperation "E0209" Error "an unknown operation"
        "The name is not an operation of this API.";
    UnknownMember "E0210" Error "an unknown field or parameter"
        "The resource has no field of this name, or the operation has no parameter of this name.";
    PathMismatch "E0211" Error "a path that does not match its parameters"
        "Every variable of the path template must be declared under `path:`, and every parameter declared there must occur in the template.";
    UnknownScope "E0212" Error "an unknown scope"
        "The API declares no scope of this name.";
    BadOutcome "E0213" Error "an invalid outcome"
        "A resource with `outcome:` must have exactly three fields: a boolean, the success and the failure. The last two must have resource types.";
    RouteConflict "E0214" Error "two operations with the same route"
        "Two operations have the same method, and paths that differ only in the names of their variables, or paths such as `/a-{x}` and `/{x}-a`, which match the same request and are equally specific.";
    AliasConflict "E0215" Error "an ambiguous alias"
        "An alias equals another name or another alias in the same scope.";
    BadParameter "E0216" Error "an unsupported parameter type"
        "A parameter must be a scalar, an enum or a list of those. In the query a list can have `style: space` or `style: pipe`, a resource can have `style: deep`, and any type can have `style: json`. Resources and maps of scalars are allowed everywhere but in cookies with `style: pairs` and similar styles. A path parameter is always required.";
    BadBehavior "E0217" Error "contradictory behaviors"
        "A field cannot be, for example, output-only and required, or input-only and output-only.";
    BadRule "E0218" Error "an invalid rule"
        "A rule must have an id of lower-case letters, digits, `_` and `.` that is unique within the API, a condition in `cel` and a message.";
    BadStates "E0219" Error "an invalid state table"
        "The states must be values of the field's enum; a transition must lead from one of them, or from `any`, to one of them.";
    EmptyEnum "E0220" Error "an enum without values"
        "An enum must have at least one value.";
    BadStatus "E0221" Error "an invalid status"
        "A status must be a number from 100 to 599. The status of an error must be 400 or above, the status of a success below 400.";
    BadBody "E0222" Error "an unsupported body or response"
        "A HEAD request cannot have a body, a merge patch must have a resource type, and each status can have only one response.";
    BadPaging "E0223" Error "invalid paging or synchronization"
        "`pages` and `sync` must name parameters of the operation and fields of its response, with the types that they require.";
    Reserved "E0224" Error "a reserved construct"
        "The construct is part of the language and of the model, but no emitter supports it yet.";
    CelSyntax "E0225" Error "an invalid condition"
        "The condition is not a valid expression of CEL, the Common Expression Language. The page about conditions describes the syntax.";
    CelUnsupported "E0226" Error "an unsupported part of CEL"
        "The expression is valid CEL, but conditions do not support it: they are compiled to straight-line code. The page about conditions lists the unsupported parts.";
    CelUnknownName "E0227" Error "an unknown name in a condition"
        "The name is neither a field of the resource, nor a parameter of the operation, nor a function, nor one of `this`, `params`, `body`, `old` and `new` where these are defined.";
    CelType "E0228" Error "mismatched types in a condition"
        "Both operands of a comparison must have the same type, and the arguments of a function its declared types. An integer literal takes the type of the other operand; convert everything else with `int(x)`, `double(x)` or `string(x)`.";
    CelAbsent "E0229" Error "a possibly absent field in a condition"
        "A condition can read a field only where it is certain to be present: it is required in every operation in which the condition applies, has a default, is a list or a map, or is guarded by `has()` through `&&`, `||`, `!` or `?:`.";
    CelValue "E0230" Error "an invalid literal in a condition"
        "A string that is compared with an enum must be one of its values, and the literal of a date, a timestamp or a duration must be valid.";
    CelTooLarge "E0231" Error "a condition that is too long or too deep"
        "A condition can have at most 4096 bytes, 24 levels of brackets and 64 levels in all.";
    NamePattern "E0232" Error "an unroutable pattern"
        "A variable that may contain slashes, `{+name}`, has the segments of its pattern, by which a server routes requests. The pattern must consist of fixed words, `[^/]+` or another form without slashes for one segment, and at most once `.*` for one or more segments. Without a pattern the variable is one or more segments. Only one variable of a path can have a variable number of segments.";
    BadMedia "E0233" Error "an unsupported upload"
        "An upload must be a POST, PUT or PATCH, at a path that `simple` or `resumable` declares.";
    BadAddress "E0234" Error "an invalid base URL"
        "`root`, `mtls_root` and the URLs of `endpoints` must start with `https://` or `http://` and a host; a path may follow, a query may not. `endpoints` requires a `root`, which they replace.";
    BadSecurity "E0235" Error "invalid security"
        "A security scheme must have the keys of its type, and every reference must name a declared scheme. A request can have only one `Authorization` header, so that a requirement cannot combine two schemes that use it. An operation can have either `security`, or `scopes` and `api_key`.";
    BadUnion "E0236" Error "an invalid union"
        "A union must have at least one variant, and none of them can be the union itself. With a `discriminator` each variant must be a resource, and if a resource declares that field, the field must be able to hold the name of the variant. Without a `discriminator` no two variants can have the same type.";
    BadLongRunning "E0240" Error "an invalid long-running operation"
        "A resource with `long_running:` must name its own fields, and an operation that reads it by name without changing it. Each required parameter of that operation must be a field of the response or a parameter of the operation that starts the work.";
    BadFeatures "E0241" Error "no groups to make features of"
        "`features: groups` makes a cargo feature of each group of operations, and this API has no operation in a group.";
    BadSet "E0242" Error "contradictory sets"
        "`error_sets` and `rule_sets` define errors and rules that several operations share. A set can include other sets, but not itself. If two error sets of an operation declare the same status, they must declare the same error, unless the operation declares that status itself, which overrides the sets. Rules with the same id must be identical in all rule sets.";
    BadInclude "E0243" Error "an invalid include"
        "A path under `include:` must lead from the file that contains it to an existing YAML file outside of the folder of the API. The files in that folder belong to the API anyway.";
    BadXml "E0244" Error "an invalid XML mapping"
        "An attribute and the text of an element must be a single string, number, boolean or enum value, and never null. `wrapped` applies to lists, and is required where a list distinguishes empty or null from absent. A namespace must be a URI of at most 1024 bytes, and a prefix must stand for only one namespace. The key `xml` of a body requires a body that can be XML. No two fields of a resource can be the same element or attribute.";
    BadRole "E0245" Error "an invalid role of a parameter"
        "The role of a query parameter determines how clients and servers use it, independent of its name. Only parameters that every operation takes can have a role, and each role except `access_token` can belong to only one parameter, whose type must permit the values of the role. Resumable uploads require a parameter with the role `upload_type`, downloads one with `format`, and operations for which an API key is sufficient one with `api_key`.";
    BadProfile "E0246" Error "an invalid profile"
        "An API can have only one `profile`. The keys of its reasons must be statuses from 400 to 599, the classes `4XX` and `5XX`, or named cases; the statuses of `rate_limits` must be in the same range, a reason of `domains` can be in only one of them, and `request_ids` must be names of headers.";
    Internal "E0901" Error "an internal error"
        "The generator has reached a state that no schema should lead to: it cannot express the schema as code. It generates nothing, so that no code enforces something else than the schema. Please report the error with the lines of the schema that the message names.";
    Unused "W0301" Warning "an unused definition"
        "Nothing refers to the definition. Remove it, or set `external: true` if it is used from outside of the schema.";
    MissingDoc "W0302" Warning "a definition without a description"
        "Descriptions become the documentation of the generated crates; write one good sentence.";
    DeprecatedUse "W0303" Warning "a use of something deprecated"
        "A definition that is not deprecated uses one that is.";
    CelSquare "W0304" Warning "a condition with quadratic running time"
        "A loop within a loop over another list, or a search through a list that cannot be indexed, takes time in proportion to the product of both lengths, so a client can make it slow by sending long lists. `unique()` and `in` replace such loops and take time in proportion to the sum.";
    HiddenVariant "W0305" Warning "a variant hidden by an earlier one"
        "A union without a `discriminator` chooses the variant that says most about the value: by its constants, listed values, formats, patterns, bounds, and required fields, also of the objects and lists in it. Some values of this variant, such as the one in the message, are also values of an earlier variant that says as much about them, and are decoded as the earlier one; if every value is, the variant is unreachable.";
    AmbiguousPath "W0306" Warning "an ambiguous path"
        "A request path can match two operations of one method, as `/x/x` matches `/{a}/x` and `/x/{a}`, and neither path is a special case of the other. A server chooses the operation that is more specific in the first segment in which they differ. OpenAPI calls such paths ambiguous, and other tools choose arbitrarily. The warning is also given where the path of uploads or batches matches an operation; the upload or batch takes precedence.";
    OpenOperation "W0307" Warning "a public operation"
        "The operation has neither `scopes` nor `security`, although other operations of the API have them, so a server lets anybody call it. Declare what a request needs, or `security: none` if the operation is meant to be public.";
    WholePatch "W0308" Warning "a PATCH with a whole resource as its body"
        "A PATCH changes a part of a resource. The body of this one is the resource as other operations send or return it, so it cannot distinguish a field that is left out, unchanged or removed. `as: merge_patch` distinguishes them; `as: whole` declares that the request replaces the resource.";
    ColonSegment "W0309" Warning "a path segment that starts with a colon"
        "Variables are written in braces, `/books/{id}`; a colon starts a verb after a segment, `/books:search`. A segment that consists of a colon and a word is literal text.";
    Endless "W0310" Warning "a resource that requires itself"
        "The resource requires a field that contains the resource again, directly or through other required fields, so no finite value has all of them. A field that can be absent or null, or a list that can be empty, breaks the cycle.";
    ConstantCondition "W0311" Warning "a constant condition"
        "The condition is true for every value, so it checks nothing, or false for every value, so it rejects everything. It tests something that is always present, such as a required parameter, or compares a value with itself.";
    ClearedRequired "W0312" Warning "a required field that a patch can remove"
        "The field is required in some operations, and a merge patch can remove it with null, so that the stored resource lacks it. Add the operation of the patch to `in`: the patch may then leave the field out, but null is rejected. A rule that applies to the patch and requires the field has the same effect, and `clearable: true` declares that the field may be removed.";
    MisspelledGroup "W0313" Warning "a group that looks misspelled"
        "The part of an operation's name before the last dot is its group, and each group is a type in the crates. This group has a single operation, its name differs from another group's in one letter, and its path belongs to that group.";
    IncompleteError "W0314" Warning "an error body that a server leaves incomplete"
        "A server writes the fields of error bodies that the keys of `errors` name, and constants. Other required fields of the body are missing in every error.";
    UnusedAllow "W0315" Warning "an allowed warning that does not occur"
        "A definition allows a warning with `allow`, and the warning does not occur. Remove the code, so that the warning is reported if it occurs again.";
    UnreadEtag "W0316" Warning "a conditional write without a conditional read"
        "The operation takes `If-Match`, but the read at the same path has no `if_none_match`. Its response need not have an ETag, and a client has neither `update_with` nor `patch_with`, which read, change and write.";
    IdleOverride "W0317" Warning "an override that changes nothing"
        "The value equals the value that applies without it: the shared parameter, an error or a rule of a set, or the enclosing origin. Remove it, so that a change of the shared definition applies here too.";
}
