//! Metrics of projects.

use std::collections::BTreeMap;

use script_server::{Context, Reply, Result, requests, types};
use types::{Metrics, MetricsGranularity, MetricsValue};
use wireform_store::{IntervalMetrics, MetricsInterval, MetricsQuery, Millis, ScriptRole, Store};

use crate::{ScriptService, caller, error, times};

impl<S: Store> ScriptService<S> {
    /// Reads metrics of the last 7 days or the last 4 weeks, starting with the current one, in UTC.
    pub(crate) async fn read_metrics(
        &self,
        request: requests::ProjectsGetMetrics,
        context: &Context,
    ) -> Result<Metrics> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Write).await?;
        let (grain, count) = match request.metrics_granularity {
            MetricsGranularity::Daily => (MetricsInterval::Day, 7),
            MetricsGranularity::Weekly => (MetricsInterval::Week, 4),
            other => {
                let message = format!("invalid granularity `{other}`, expected DAILY or WEEKLY");
                return Err(error::invalid_parameter("metricsGranularity", message));
            }
        };
        let current = grain.start(self.clock.now());
        let starts: Vec<Millis> = (0..count).map(|back| Millis(current.0 - back * grain.millis())).collect();
        let first = starts.last().copied().unwrap_or(current);
        let query = MetricsQuery {
            project: access.project.number,
            deployment: request.deployment_id.unwrap_or_default(),
            interval: grain,
            starts: first..=current,
        };
        let measures = self.store.metrics(query).await.map_err(error::from_store)?;
        let measures: BTreeMap<Millis, IntervalMetrics> = measures.into_iter().map(|one| (one.start, one)).collect();
        let values = |count: fn(&IntervalMetrics) -> u64| -> Vec<MetricsValue> {
            let value = |start: &Millis| {
                MetricsValue::default()
                    .with_start_time(times::to_date_time(*start))
                    .with_end_time(times::to_date_time(Millis(start.0 + grain.millis())))
                    .with_value(measures.get(start).map_or(0, count))
            };
            starts.iter().map(value).collect()
        };
        Ok(Reply::new(
            Metrics::default()
                .with_active_users(values(|measure| measure.users))
                .with_total_executions(values(|measure| measure.total))
                .with_failed_executions(values(|measure| measure.failed)),
        ))
    }
}
