/// Service of the API `script` that delegates every request to a [`Desk`].
#[derive(Clone)]
pub struct Script(pub Desk);
impl ::script_server::service::Projects for Script {
async fn create(&self, request: ::script_server::requests::ProjectsCreate, context: &::wireform_server::Context) -> ::wireform_server::Result<<::script_server::requests::ProjectsCreate as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn get(&self, request: ::script_server::requests::ProjectsGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::script_server::requests::ProjectsGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn get_content(&self, request: ::script_server::requests::ProjectsGetContent, context: &::wireform_server::Context) -> ::wireform_server::Result<<::script_server::requests::ProjectsGetContent as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn update_content(&self, request: ::script_server::requests::ProjectsUpdateContent, context: &::wireform_server::Context) -> ::wireform_server::Result<<::script_server::requests::ProjectsUpdateContent as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn get_metrics(&self, request: ::script_server::requests::ProjectsGetMetrics, context: &::wireform_server::Context) -> ::wireform_server::Result<<::script_server::requests::ProjectsGetMetrics as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::script_server::service::ProjectsVersions for Script {
async fn create(&self, request: ::script_server::requests::ProjectsVersionsCreate, context: &::wireform_server::Context) -> ::wireform_server::Result<<::script_server::requests::ProjectsVersionsCreate as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn get(&self, request: ::script_server::requests::ProjectsVersionsGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::script_server::requests::ProjectsVersionsGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn list(&self, request: ::script_server::requests::ProjectsVersionsList, context: &::wireform_server::Context) -> ::wireform_server::ListResult<::script_server::requests::ProjectsVersionsList> { self.0.list(request, context).await }
}
impl ::script_server::service::ProjectsDeployments for Script {
async fn create(&self, request: ::script_server::requests::ProjectsDeploymentsCreate, context: &::wireform_server::Context) -> ::wireform_server::Result<<::script_server::requests::ProjectsDeploymentsCreate as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn get(&self, request: ::script_server::requests::ProjectsDeploymentsGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::script_server::requests::ProjectsDeploymentsGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn list(&self, request: ::script_server::requests::ProjectsDeploymentsList, context: &::wireform_server::Context) -> ::wireform_server::ListResult<::script_server::requests::ProjectsDeploymentsList> { self.0.list(request, context).await }
async fn update(&self, request: ::script_server::requests::ProjectsDeploymentsUpdate, context: &::wireform_server::Context) -> ::wireform_server::Result<<::script_server::requests::ProjectsDeploymentsUpdate as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn delete(&self, request: ::script_server::requests::ProjectsDeploymentsDelete, context: &::wireform_server::Context) -> ::wireform_server::Result<<::script_server::requests::ProjectsDeploymentsDelete as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::script_server::service::Processes for Script {
async fn list(&self, request: ::script_server::requests::ProcessesList, context: &::wireform_server::Context) -> ::wireform_server::ListResult<::script_server::requests::ProcessesList> { self.0.list(request, context).await }
async fn list_script_processes(&self, request: ::script_server::requests::ProcessesListScriptProcesses, context: &::wireform_server::Context) -> ::wireform_server::ListResult<::script_server::requests::ProcessesListScriptProcesses> { self.0.list(request, context).await }
}
impl ::script_server::service::Scripts for Script {
async fn run(&self, request: ::script_server::requests::ScriptsRun, context: &::wireform_server::Context) -> ::wireform_server::Result<<::script_server::requests::ScriptsRun as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
/// Service of the API `mailbox` that delegates every request to a [`Desk`].
#[derive(Clone)]
pub struct Mailbox(pub Desk);
impl ::mailbox_server::service::Users for Mailbox {
async fn get_profile(&self, request: ::mailbox_server::requests::UsersGetProfile, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersGetProfile as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::mailbox_server::service::UsersHistory for Mailbox {
async fn list(&self, request: ::mailbox_server::requests::UsersHistoryList, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersHistoryList as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::mailbox_server::service::UsersThreads for Mailbox {
async fn list(&self, request: ::mailbox_server::requests::UsersThreadsList, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersThreadsList as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn get(&self, request: ::mailbox_server::requests::UsersThreadsGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersThreadsGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::mailbox_server::service::UsersDrafts for Mailbox {
async fn list(&self, request: ::mailbox_server::requests::UsersDraftsList, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersDraftsList as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn get(&self, request: ::mailbox_server::requests::UsersDraftsGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersDraftsGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn create(&self, request: ::mailbox_server::requests::UsersDraftsCreate, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersDraftsCreate as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn update(&self, request: ::mailbox_server::requests::UsersDraftsUpdate, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersDraftsUpdate as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn delete(&self, request: ::mailbox_server::requests::UsersDraftsDelete, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersDraftsDelete as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn send(&self, request: ::mailbox_server::requests::UsersDraftsSend, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersDraftsSend as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::mailbox_server::service::UsersMessages for Mailbox {
async fn list(&self, request: ::mailbox_server::requests::UsersMessagesList, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersMessagesList as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn get(&self, request: ::mailbox_server::requests::UsersMessagesGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersMessagesGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn insert(&self, request: ::mailbox_server::requests::UsersMessagesInsert, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersMessagesInsert as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn import(&self, request: ::mailbox_server::requests::UsersMessagesImport, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersMessagesImport as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn delete(&self, request: ::mailbox_server::requests::UsersMessagesDelete, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersMessagesDelete as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn modify(&self, request: ::mailbox_server::requests::UsersMessagesModify, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersMessagesModify as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn batch_modify(&self, request: ::mailbox_server::requests::UsersMessagesBatchModify, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersMessagesBatchModify as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn trash(&self, request: ::mailbox_server::requests::UsersMessagesTrash, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersMessagesTrash as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn untrash(&self, request: ::mailbox_server::requests::UsersMessagesUntrash, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersMessagesUntrash as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn send(&self, request: ::mailbox_server::requests::UsersMessagesSend, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersMessagesSend as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn batch_delete(&self, request: ::mailbox_server::requests::UsersMessagesBatchDelete, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersMessagesBatchDelete as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::mailbox_server::service::UsersMessagesAttachments for Mailbox {
async fn get(&self, request: ::mailbox_server::requests::UsersMessagesAttachmentsGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersMessagesAttachmentsGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::mailbox_server::service::UsersLabels for Mailbox {
async fn list(&self, request: ::mailbox_server::requests::UsersLabelsList, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersLabelsList as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn get(&self, request: ::mailbox_server::requests::UsersLabelsGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersLabelsGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn create(&self, request: ::mailbox_server::requests::UsersLabelsCreate, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersLabelsCreate as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn update(&self, request: ::mailbox_server::requests::UsersLabelsUpdate, context: &::wireform_server::Context) -> ::wireform_server::WriteResult<::mailbox_server::requests::UsersLabelsUpdate> { let admission = context.assume_admitted(&request); Ok(admission.reply(self.0.ask(request, context).await?)) }
async fn patch(&self, request: ::mailbox_server::requests::UsersLabelsPatch, context: &::wireform_server::Context) -> ::wireform_server::WriteResult<::mailbox_server::requests::UsersLabelsPatch> { let admission = context.assume_admitted(&request); Ok(admission.reply(self.0.ask(request, context).await?)) }
async fn delete(&self, request: ::mailbox_server::requests::UsersLabelsDelete, context: &::wireform_server::Context) -> ::wireform_server::Result<<::mailbox_server::requests::UsersLabelsDelete as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
/// Service of the API `calendar` that delegates every request to a [`Desk`].
#[derive(Clone)]
pub struct Calendar(pub Desk);
impl ::calendar_server::service::Settings for Calendar {
async fn list(&self, request: ::calendar_server::requests::SettingsList, context: &::wireform_server::Context) -> ::wireform_server::ListResult<::calendar_server::requests::SettingsList> { self.0.list(request, context).await }
async fn get(&self, request: ::calendar_server::requests::SettingsGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::calendar_server::requests::SettingsGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::calendar_server::service::Events for Calendar {
async fn get(&self, request: ::calendar_server::requests::EventsGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::calendar_server::requests::EventsGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn instances(&self, request: ::calendar_server::requests::EventsInstances, context: &::wireform_server::Context) -> ::wireform_server::Result<<::calendar_server::requests::EventsInstances as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn list(&self, request: ::calendar_server::requests::EventsList, context: &::wireform_server::Context) -> ::wireform_server::ListResult<::calendar_server::requests::EventsList> { self.0.list(request, context).await }
async fn watch(&self, request: ::calendar_server::requests::EventsWatch, context: &::wireform_server::Context) -> ::wireform_server::Result<<::calendar_server::requests::EventsWatch as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn insert(&self, request: ::calendar_server::requests::EventsInsert, context: &::wireform_server::Context) -> ::wireform_server::Result<<::calendar_server::requests::EventsInsert as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn quick_add(&self, request: ::calendar_server::requests::EventsQuickAdd, context: &::wireform_server::Context) -> ::wireform_server::Result<<::calendar_server::requests::EventsQuickAdd as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn import(&self, request: ::calendar_server::requests::EventsImport, context: &::wireform_server::Context) -> ::wireform_server::Result<<::calendar_server::requests::EventsImport as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
async fn update(&self, request: ::calendar_server::requests::EventsUpdate, context: &::wireform_server::Context) -> ::wireform_server::WriteResult<::calendar_server::requests::EventsUpdate> { let admission = context.assume_admitted(&request); Ok(admission.reply(self.0.ask(request, context).await?)) }
async fn patch(&self, request: ::calendar_server::requests::EventsPatch, context: &::wireform_server::Context) -> ::wireform_server::WriteResult<::calendar_server::requests::EventsPatch> { let admission = context.assume_admitted(&request); Ok(admission.reply(self.0.ask(request, context).await?)) }
async fn r#move(&self, request: ::calendar_server::requests::EventsMove, context: &::wireform_server::Context) -> ::wireform_server::WriteResult<::calendar_server::requests::EventsMove> { let admission = context.assume_admitted(&request); Ok(admission.reply(self.0.ask(request, context).await?)) }
async fn delete(&self, request: ::calendar_server::requests::EventsDelete, context: &::wireform_server::Context) -> ::wireform_server::WriteResult<::calendar_server::requests::EventsDelete> { let admission = context.assume_admitted(&request); Ok(admission.reply(self.0.ask(request, context).await?)) }
}
impl ::calendar_server::service::Freebusy for Calendar {
async fn query(&self, request: ::calendar_server::requests::FreebusyQuery, context: &::wireform_server::Context) -> ::wireform_server::Result<<::calendar_server::requests::FreebusyQuery as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::calendar_server::service::Channels for Calendar {
async fn stop(&self, request: ::calendar_server::requests::ChannelsStop, context: &::wireform_server::Context) -> ::wireform_server::Result<<::calendar_server::requests::ChannelsStop as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::calendar_server::service::Colors for Calendar {
async fn get(&self, request: ::calendar_server::requests::ColorsGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::calendar_server::requests::ColorsGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::calendar_server::service::Calendars for Calendar {
async fn get(&self, request: ::calendar_server::requests::CalendarsGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::calendar_server::requests::CalendarsGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
impl ::calendar_server::service::CalendarList for Calendar {
async fn list(&self, request: ::calendar_server::requests::CalendarListList, context: &::wireform_server::Context) -> ::wireform_server::ListResult<::calendar_server::requests::CalendarListList> { self.0.list(request, context).await }
async fn get(&self, request: ::calendar_server::requests::CalendarListGet, context: &::wireform_server::Context) -> ::wireform_server::Result<<::calendar_server::requests::CalendarListGet as ::wireform_runtime::Request>::Response> { self.0.ask(request, context).await }
}
