-- The project of a deployment that was deleted is that of the executions which ran through it.
CREATE INDEX script_facets_by_deployment ON script_facets (deployment) WHERE side = 0;
-- A server looks which of its executions still run: one that does not was canceled or removed.
CREATE INDEX script_processes_by_server ON script_processes (server, number) WHERE ended IS NULL;
