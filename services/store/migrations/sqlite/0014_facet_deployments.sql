-- The project of a deployment that was deleted is that of the executions which ran through it.
CREATE INDEX script_facets_by_deployment ON script_facets (deployment) WHERE side = 0;
