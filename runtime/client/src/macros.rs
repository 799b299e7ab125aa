//! What generated code calls for each operation.

/// Gives the builder of an operation what every call has: `call!(Insert, requests::EventsInsert)`, for a struct
/// with the private field `call: Call<requests::EventsInsert>`. The words at the end say which of
/// the parameters that every operation takes have a method, by their roles: `fields`, `quota_user`, `pretty_print`.
#[macro_export]
macro_rules! call {
    ($name:ident, $request:ty $(, $word:ident)*) => {
        $crate::call!([] $name, $request $(, $word)*);
    };
    ([$($generics:tt)*] $name:ty, $request:ty $(, $word:ident)*) => {
        $crate::options!([$($generics)*] $name, $request $(, $word)*);

        impl<$($generics)*> $name {
            /// Sends the request, and gives the value of the answer.
            pub fn send(self) -> $crate::Sending<$request> {
                self.call.send()
            }
        }

        /// A call that is awaited is sent: `.await` does what `.send().await` does.
        impl<$($generics)*> ::core::future::IntoFuture for $name {
            type Output = ::core::result::Result<
                <$request as $crate::Request>::Response,
                $crate::Error<<$request as $crate::Request>::ErrorBody>,
            >;
            type IntoFuture = $crate::Sending<$request>;

            fn into_future(self) -> Self::IntoFuture {
                self.call.send()
            }
        }

        #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
        impl<$($generics)*> $name {
            /// Sends the request, and waits for the value of the answer.
            ///
            /// # Errors
            /// Those of [`send`](Self::send).
            pub fn send_blocking(
                self,
            ) -> ::core::result::Result<
                <$request as $crate::Request>::Response,
                $crate::Error<<$request as $crate::Request>::ErrorBody>,
            > {
                self.call.send_blocking()
            }
        }
    };
}

/// Gives a builder what can be set for every call; sending is left to another macro.
#[macro_export]
macro_rules! options {
    ($name:ident, $request:ty $(, $word:ident)*) => {
        $crate::options!([] $name, $request $(, $word)*);
    };
    ($generics:tt $name:ty, $request:ty $(, $word:ident)+) => {
        $crate::options!($generics $name, $request);
        $( $crate::option!($generics $name, $request, $word); )+
    };
    ([$($generics:tt)*] $name:ty, $request:ty) => {
        impl<$($generics)*> ::core::convert::From<$name> for $crate::Call<$request> {
            fn from(builder: $name) -> Self {
                builder.call
            }
        }

        impl<$($generics)*> $name {
            /// Wraps a call.
            #[must_use]
            pub fn from_call(call: $crate::Call<$request>) -> Self {
                Self { call }
            }

            /// The call, with all its options.
            #[must_use]
            pub fn into_call(self) -> $crate::Call<$request> {
                self.call
            }

            /// What is sent.
            #[must_use]
            pub fn request(&self) -> &$request {
                self.call.request()
            }

            /// Says when the request is sent again.
            #[must_use]
            pub fn retry(mut self, policy: $crate::RetryPolicy) -> Self {
                self.call.options_mut().retry = ::core::option::Option::Some(policy);
                self
            }

            /// Says how long an attempt may take until the answer is read as a whole.
            #[must_use]
            pub fn timeout(mut self, time: ::core::time::Duration) -> Self {
                self.call.options_mut().timeout = ::core::option::Option::Some(time);
                self
            }

            /// Sends the request without a check of the rules: for a value that is newer than the schema.
            #[cfg(feature = "validation")]
            #[must_use]
            pub fn unchecked(mut self) -> Self {
                self.call.options_mut().tier = ::core::option::Option::Some($crate::Tier::Off);
                self
            }

            /// Sets a parameter that every operation of the API takes, by its name in the schema. A name that
            /// there is not, and one that the client itself decides on, fails when the request is sent.
            #[must_use]
            pub fn parameter(mut self, name: &'static str, value: &str) -> Self {
                self.call.set_parameter(name, value);
                self
            }
        }
    };
}

/// Gives a builder a method for a parameter that every operation of its API takes.
#[macro_export]
macro_rules! option {
    ([$($generics:tt)*] $name:ty, $request:ty, fields) => {
        impl<$($generics)*> $name {
            /// Asks for some members of the answer only; the others are absent. Takes the constants of `fields`, or
            /// a text that was read with `Selection::parse`.
            #[must_use]
            pub fn fields(
                mut self,
                fields: impl ::core::convert::Into<$crate::Selection<<$request as $crate::Request>::Response>>,
            ) -> Self {
                self.call.select(fields.into());
                self
            }
        }
    };
    ([$($generics:tt)*] $name:ty, $request:ty, quota_user) => {
        impl<$($generics)*> $name {
            /// Says on whose account the server counts the request: any text that stands for a user.
            #[must_use]
            pub fn quota_user(mut self, user: &str) -> Self {
                self.call.set_quota_user(user);
                self
            }
        }
    };
    ([$($generics:tt)*] $name:ty, $request:ty, pretty_print) => {
        impl<$($generics)*> $name {
            /// Asks for an answer with line breaks and indentation, for people who watch the wire.
            #[must_use]
            pub fn pretty_print(mut self) -> Self {
                self.call.set_pretty_print();
                self
            }
        }
    };
}

/// Gives a builder the way on which media go up beside its request.
#[macro_export]
macro_rules! upload {
    ($name:ident, $request:ty) => {
        impl $name {
            /// With media beside the request, such as the bytes of a file.
            pub fn upload(self, media: $crate::Media) -> $crate::UploadCall<$request> {
                self.call.upload(media)
            }
        }
    };
}

/// Gives a builder the way on which its answer comes down as it is.
#[macro_export]
macro_rules! download {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Has the answer as bytes that are read while they come.
            pub fn download(self) -> $crate::DownloadCall<$request> {
                self.call.download()
            }
        }
    };
}

/// Gives a builder whose body is no JSON the way on which it is sent piece by piece.
#[macro_export]
macro_rules! raw_body {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Sends these media in the place of the body, piece by piece, and gives the value of the answer.
            pub fn send_media(self, media: $crate::Media) -> $crate::Sending<$request> {
                self.call.send_media(media)
            }
        }
    };
}

/// Gives the builder of an operation whose answers have headers a way to get them:
/// `answer_headers!(Get, requests::NotesGet, requests::NotesGetHeaders)`.
#[macro_export]
macro_rules! answer_headers {
    ($name:ident, $request:ty, $headers:ty) => {
        impl $name {
            /// Sends the request, and gives the value of the answer and the headers beside it. A header that is not
            /// there, or is not what the schema says, is absent.
            ///
            /// # Errors
            /// Those of [`send`](Self::send).
            pub async fn send_with_headers(
                self,
            ) -> ::core::result::Result<
                (<$request as $crate::Request>::Response, $headers),
                $crate::Error<<$request as $crate::Request>::ErrorBody>,
            > {
                $crate::send_with_headers(self.call).await
            }
        }
    };
}
