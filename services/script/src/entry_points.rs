//! Entry points of deployments, as the deployed manifest declares them.

use script_server::types::{
    AddOnEntryPoint, AddOnType, EntryPoint, EntryPointType, ExecutionApiConfig, ExecutionApiEntryPoint, Manifest,
    ManifestAddOn, WebAppConfig, WebAppEntryPoint,
};

/// Returns the entry points of a deployment. The URL of a web app is below `base`.
pub(crate) fn entry_points(manifest: &Manifest, base: &str, deployment: &str) -> Vec<EntryPoint> {
    let mut points = Vec::new();
    if let Some(app) = &manifest.web_app {
        let mut config = WebAppConfig::default();
        (config.access, config.execute_as) = (app.access.clone(), app.execute_as.clone());
        let mut entry = WebAppEntryPoint::default().with_url(web_app_url(base, deployment));
        entry.entry_point_config = Some(config);
        let mut point = EntryPoint::default().with_entry_point_type(EntryPointType::WebApp);
        point.web_app = Some(entry);
        points.push(point);
    }
    if let Some(api) = &manifest.execution_api {
        let mut config = ExecutionApiConfig::default();
        config.access.clone_from(&api.access);
        let entry = ExecutionApiEntryPoint { entry_point_config: Some(config) };
        let mut point = EntryPoint::default().with_entry_point_type(EntryPointType::ExecutionApi);
        point.execution_api = Some(entry);
        points.push(point);
    }
    // A deployment without a version follows the current manifest, which may lack required fields of add-ons.
    for (kind, add_on) in add_ons(manifest).into_iter().filter(|(_, add_on)| missing_field(add_on).is_none()) {
        let mut entry = AddOnEntryPoint::default().with_add_on_type(kind);
        entry.title = add_on.name;
        entry.description = add_on.description;
        entry.post_install_tip_url = add_on.post_install_tip_url;
        entry.help_url = add_on.help_url;
        entry.report_issue_url = add_on.report_issue_url;
        let mut point = EntryPoint::default().with_entry_point_type(EntryPointType::AddOn);
        point.add_on = Some(entry);
        points.push(point);
    }
    points
}

/// Returns a message if a manifest lacks a required field of its entry points.
pub(crate) fn missing_field_message(manifest: &Manifest) -> Option<String> {
    add_ons(manifest).into_iter().find_map(|(kind, add_on)| {
        let kind = if matches!(kind, AddOnType::Mail) { "mail" } else { "reporting" };
        missing_field(&add_on).map(|member| format!("the manifest does not contain `{member}` of the add-on `{kind}`"))
    })
}

/// Returns a required field that an add-on lacks.
fn missing_field(add_on: &ManifestAddOn) -> Option<&'static str> {
    match add_on {
        ManifestAddOn { name: None, .. } => Some("name"),
        ManifestAddOn { post_install_tip_url: None, .. } => Some("postInstallTipUrl"),
        _ => None,
    }
}

/// Returns the add-ons with their common settings merged in.
fn add_ons(manifest: &Manifest) -> Vec<(AddOnType, ManifestAddOn)> {
    let Some(all) = &manifest.add_ons else { return Vec::new() };
    let common = all.common.clone().unwrap_or_default();
    let each = [(AddOnType::Mail, &all.mail), (AddOnType::Reporting, &all.reporting)];
    let whole = |own: &ManifestAddOn| {
        let (own, common) = (own.clone(), common.clone());
        ManifestAddOn {
            name: own.name.or(common.name),
            description: own.description.or(common.description),
            post_install_tip_url: own.post_install_tip_url.or(common.post_install_tip_url),
            help_url: own.help_url.or(common.help_url),
            report_issue_url: own.report_issue_url.or(common.report_issue_url),
        }
    };
    each.into_iter().filter_map(|(kind, own)| Some((kind, whole(own.as_ref()?)))).collect()
}

/// Returns the URL of the web app of a deployment.
pub(crate) fn web_app_url(base: &str, deployment: &str) -> String {
    format!("{base}/macros/s/{deployment}/exec")
}
