//! Macros that generated code calls for each operation.

/// Adds the methods of every call to the builder of an operation: `call!(Insert, requests::EventsInsert)`, for a struct
/// with the private field `call: Call<requests::EventsInsert>`. The words at the end select the standard parameters
/// that have a method, by their roles: `fields`, `quota_user`, `pretty_print`.
#[doc(hidden)]
#[macro_export]
macro_rules! call {
    ($name:ident, $request:ty $(, $word:ident)*) => {
        $crate::call!([] $name, $request $(, $word)*);
    };
    ([$($generics:tt)*] $name:ty, $request:ty $(, $word:ident)*) => {
        $crate::options!([$($generics)*] $name, $request $(, $word)*);

        impl<$($generics)*> $name {
            /// Sends the request and returns the value of the response.
            pub fn send(self) -> $crate::SendFuture<$request> {
                self.call.send()
            }

            /// Sends the request and returns the response without decoding its body.
            ///
            /// # Errors
            /// Returns the errors of [`send`](Self::send) except those of the body.
            pub async fn send_raw(
                self,
            ) -> ::core::result::Result<$crate::RawReply, $crate::Error<<$request as $crate::Request>::ErrorBody>>
            {
                self.call.send_raw().await
            }
        }

        /// Awaiting a call sends it: `.await` is short for `.send().await`.
        impl<$($generics)*> ::core::future::IntoFuture for $name {
            type Output = ::core::result::Result<
                <$request as $crate::Request>::Response,
                $crate::Error<<$request as $crate::Request>::ErrorBody>,
            >;
            type IntoFuture = $crate::SendFuture<$request>;

            fn into_future(self) -> Self::IntoFuture {
                self.call.send()
            }
        }

        #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
        impl<$($generics)*> $name {
            /// Sends the request and blocks until the value of the response has arrived.
            ///
            /// # Errors
            /// Returns the same errors as [`send`](Self::send).
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

/// Adds the options of every call to a builder; the methods that send are left to other macros.
#[doc(hidden)]
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

            /// Returns the call, with all its options.
            #[must_use]
            pub fn into_call(self) -> $crate::Call<$request> {
                self.call
            }

            /// Returns the request.
            #[must_use]
            pub fn request(&self) -> &$request {
                self.call.request()
            }

            /// Sets the retry policy.
            #[must_use]
            pub fn retry(mut self, policy: $crate::RetryPolicy) -> Self {
                self.call.options_mut().retry = ::core::option::Option::Some(policy);
                self
            }

            /// Sets the timeout of an attempt, until the response is read as a whole.
            #[must_use]
            pub fn timeout(mut self, time: ::core::time::Duration) -> Self {
                self.call.options_mut().timeout = ::core::option::Option::Some(time);
                self
            }

            /// Disables validation of the request, for values that are newer than the schema.
            #[cfg(feature = "validation")]
            #[must_use]
            pub fn unchecked(mut self) -> Self {
                self.call.options_mut().tier = ::core::option::Option::Some($crate::Tier::Off);
                self
            }

            /// Sets a standard parameter of the API by its name in the schema. An unknown parameter, and one that the
            /// client itself sets, is an error when the request is sent.
            #[must_use]
            pub fn parameter(mut self, name: &'static str, value: &str) -> Self {
                self.call.set_parameter(name, value);
                self
            }
        }
    };
}

/// Adds a method for a standard parameter of the API to a builder.
#[doc(hidden)]
#[macro_export]
macro_rules! option {
    ([$($generics:tt)*] $name:ty, $request:ty, fields) => {
        impl<$($generics)*> $name {
            /// Selects the fields of the response; the others are absent. Takes the constants of `fields`, or a text
            /// parsed with `Selection::parse`.
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
            /// Sets the quota user: any text that stands for a user.
            #[must_use]
            pub fn quota_user(mut self, user: &str) -> Self {
                self.call.set_quota_user(user);
                self
            }
        }
    };
    ([$($generics:tt)*] $name:ty, $request:ty, pretty_print) => {
        impl<$($generics)*> $name {
            /// Requests a response with line breaks and indentation, for debugging.
            #[must_use]
            pub fn pretty_print(mut self) -> Self {
                self.call.set_pretty_print();
                self
            }
        }
    };
}

/// Adds media uploads to the builder of an operation.
#[doc(hidden)]
#[macro_export]
macro_rules! upload {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Adds media to the request, such as the bytes of a file.
            pub fn upload(self, media: $crate::Media) -> $crate::UploadCall<$request> {
                self.call.upload(media)
            }
        }
    };
}

/// Adds media downloads to the builder of an operation.
#[doc(hidden)]
#[macro_export]
macro_rules! download {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Requests the response as a stream of bytes.
            pub fn download(self) -> $crate::DownloadCall<$request> {
                self.call.download()
            }
        }
    };
}

/// Adds streaming of the request body to the builder of an operation whose body is not JSON.
#[doc(hidden)]
#[macro_export]
macro_rules! raw_body {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Sends media as the body, as a stream, and returns the value of the response.
            pub fn send_media(self, media: $crate::Media) -> $crate::SendFuture<$request> {
                self.call.send_media(media)
            }
        }
    };
}

/// Adds access to the declared response headers to the builder of an operation: `response_headers!(Get,
/// requests::NotesGet, requests::NotesGetHeaders)`.
#[doc(hidden)]
#[macro_export]
macro_rules! response_headers {
    ($name:ident, $request:ty, $headers:ty) => {
        impl $name {
            /// Sends the request and returns the value of the response and its declared headers. A header that is
            /// missing or does not match the schema is `None`.
            ///
            /// # Errors
            /// Returns the same errors as [`send`](Self::send).
            pub async fn send_with_headers(
                self,
            ) -> ::core::result::Result<
                (<$request as $crate::Request>::Response, $headers),
                $crate::Error<<$request as $crate::Request>::ErrorBody>,
            > {
                $crate::__private::send_with_headers(self.call).await
            }
        }
    };
}
