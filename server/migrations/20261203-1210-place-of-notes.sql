-- How many messages a conversation had when a note was written: its place does not depend on clocks. Notes of the version before
-- have none and stay placed by their time.
alter table ticket_notes add column after_message integer;
