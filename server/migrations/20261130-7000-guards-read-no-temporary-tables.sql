-- A path that does not name the temporary schema searches it first, so a statement of the program could put a table of its own before
-- one that a guard reads: a demo deposit then counted for a live account. The same for functions with the rights of the owner.
alter function find_workspace(text) set search_path = pg_catalog, public, pg_temp;
alter function list_workspace_ids() set search_path = pg_catalog, public, pg_temp;
alter function referred_clients() set search_path = pg_catalog, public, pg_temp;
alter function erase_logged_details(uuid) set search_path = pg_catalog, public, pg_temp;
alter function forget_acceptances(uuid) set search_path = pg_catalog, public, pg_temp;

alter function forge_audit_link() set search_path = pg_catalog, public, pg_temp;
alter function link_audit_entry() set search_path = pg_catalog, public, pg_temp;
alter function guard_balance_transaction() set search_path = pg_catalog, public, pg_temp;
alter function guard_new_payout_order() set search_path = pg_catalog, public, pg_temp;
alter function guard_paid_once() set search_path = pg_catalog, public, pg_temp;
alter function guard_payment_case() set search_path = pg_catalog, public, pg_temp;
alter function guard_practice_money() set search_path = pg_catalog, public, pg_temp;
alter function guard_recorded_refund() set search_path = pg_catalog, public, pg_temp;
alter function renew_revision_of_terms() set search_path = pg_catalog, public, pg_temp;
alter function write_member_words() set search_path = pg_catalog, public, pg_temp;
